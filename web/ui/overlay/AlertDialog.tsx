import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { useRef, type ReactNode } from 'react'
import { Button } from '../action/Button.tsx'

export interface AlertDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description: ReactNode
  confirmLabel: string
  cancelLabel?: string
  tone?: 'danger' | 'primary'
  busy?: boolean
  onConfirm: () => void
  /** What Cancel does before the dialog closes, where it is more than closing. */
  onCancel?: () => void
  /** The answer that Enter must give; Cancel unless told. */
  focus?: 'cancel' | 'confirm'
  /** In what the focus goes on, at its first control, once it is closed; null where what opened it is still there. */
  finalFocus?: () => HTMLElement | null
}

/** A question that must be answered: an outside click does not close it, and Cancel has the focus unless told. */
export function AlertDialog(props: AlertDialogProps) {
  const { open, onOpenChange, title, description, confirmLabel, cancelLabel = 'Cancel' } = props
  const confirm = useRef<HTMLButtonElement>(null)
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-50 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-50 flex items-center justify-center p-6">
          <Base.Popup
            {...(props.focus === 'confirm' && { initialFocus: confirm })}
            finalFocus={() => props.finalFocus?.() ?? true}
            className="pop-motion w-full max-w-md rounded-lg bg-raised shadow-float outline-none"
          >
            <div className="p-5">
              <Base.Title className="text-base font-semibold">{title}</Base.Title>
              <Base.Description className="mt-2 text-sm break-words text-muted">
                {description}
              </Base.Description>
            </div>
            <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
              <Base.Close render={<Button onClick={props.onCancel}>{cancelLabel}</Button>} />
              <Button
                ref={confirm}
                variant={props.tone ?? 'danger'}
                busy={props.busy ?? false}
                onClick={props.onConfirm}
              >
                {confirmLabel}
              </Button>
            </footer>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
