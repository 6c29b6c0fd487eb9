import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { Button } from '../action/Button.tsx'
import { Modal } from './layer/Modal.tsx'

export interface AlertDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description: ReactNode
  confirmLabel: string
  cancelLabel?: string
  tone?: 'danger' | 'primary'
  busy?: boolean
  /** True if confirming sends a request; the default is true. */
  asks?: boolean
  onConfirm: () => void
  /** Called by Cancel before the dialog closes. */
  onCancel?: () => void
  /** The button with the focus; the default is Cancel. */
  focus?: 'cancel' | 'confirm'
  /**
   * Element whose first control gets the focus after closing; null to use the opener if it is still there.
   */
  finalFocus?: () => HTMLElement | null
}

/**
 * A question that needs an answer: a click outside does not close it, and by default Cancel has the focus.
 */
export function AlertDialog(props: AlertDialogProps) {
  // Kept in a ref, because the caller may know only at closing which element is left to focus.
  const finalFocus = useRef(props.finalFocus)
  useLayoutEffect(() => {
    finalFocus.current = props.finalFocus
  })
  if (!props.open) return null
  return <OpenAlertDialog {...props} findLast={() => finalFocus.current?.() ?? null} />
}

function OpenAlertDialog(props: AlertDialogProps & { findLast: () => HTMLElement | null }) {
  const { onOpenChange, title, description, confirmLabel, cancelLabel = 'Cancel' } = props
  const id = useId()
  const cancel = useRef<HTMLButtonElement>(null)
  const confirm = useRef<HTMLButtonElement>(null)
  return (
    <Modal
      role="alertdialog"
      labelledBy={`${id}-title`}
      describedBy={`${id}-description`}
      onDismiss={() => onOpenChange(false)}
      focus={{
        first: () => (props.focus === 'confirm' ? confirm : cancel).current,
        last: props.findLast,
      }}
      level="z-50"
      className="items-center justify-center p-6"
      popupClass="pop-motion flex max-h-full w-full max-w-md flex-col rounded-lg"
    >
      <div className="min-h-0 overflow-y-auto p-5">
        <h2 id={`${id}-title`} className="text-base font-semibold">
          {title}
        </h2>
        <div id={`${id}-description`} className="mt-2 text-sm break-words text-muted">
          {description}
        </div>
      </div>
      <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
        <Button
          ref={cancel}
          onClick={() => {
            props.onCancel?.()
            onOpenChange(false)
          }}
        >
          {cancelLabel}
        </Button>
        <Button
          ref={confirm}
          variant={props.tone ?? 'danger'}
          busy={props.busy ?? false}
          asks={props.asks ?? true}
          onClick={props.onConfirm}
        >
          {confirmLabel}
        </Button>
      </footer>
    </Modal>
  )
}
