import { Dialog as Base } from '@base-ui/react/dialog'
import clsx from 'clsx'
import { X } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { AlertDialog } from './AlertDialog.tsx'
import { Button, type ButtonProps } from '../action/Button.tsx'
import { IconButton } from '../action/IconButton.tsx'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl'
  /** There are unsaved edits: an outside click, Escape or Cancel asks before it drops them. */
  dirty?: boolean
  /** Stays in sight under the scrolling body; a submit button here names its form by the `form` attribute. */
  footer?: ReactNode
  /** Without padding, for a table or two panes. */
  flush?: boolean
  children: ReactNode
}

const WIDTHS = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl', xl: 'max-w-6xl' }

export function Dialog(props: DialogProps) {
  const {
    open,
    onOpenChange,
    title,
    description,
    size = 'md',
    dirty = false,
    footer,
    flush = false,
    children,
  } = props
  const [asking, setAsking] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, details) => {
        if (!next && dirty) {
          details.cancel()
          setAsking(true)
        } else onOpenChange(next)
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-40 flex items-end justify-center sm:items-center sm:p-6">
          <Base.Popup
            // A form starts at its first field; anything else, a search above a list too, at its first control, as Base UI has it.
            initialFocus={() =>
              body.current?.querySelector<HTMLElement>(
                'input:not([type=search], [aria-hidden=true], [tabindex="-1"]), textarea',
              ) ?? true
            }
            className={clsx(
              'pop-motion flex max-h-[calc(100dvh-2rem)] w-full flex-col rounded-t-lg bg-raised shadow-float outline-none sm:max-h-full sm:rounded-lg',
              WIDTHS[size],
            )}
          >
            <header className="flex items-start justify-between gap-4 border-b border-line py-3 pr-3 pl-5">
              <div className="min-w-0 py-1">
                <Base.Title className="text-base font-semibold break-words">{title}</Base.Title>
                {description !== undefined && (
                  <Base.Description className="mt-0.5 text-sm break-words text-muted">
                    {description}
                  </Base.Description>
                )}
              </div>
              <Base.Close render={<IconButton label="Close" icon={<X />} />} />
            </header>
            <div ref={body} className={clsx('min-h-0 flex-1 overflow-y-auto', !flush && 'p-5')}>
              {children}
            </div>
            {footer !== undefined && (
              <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">
                {footer}
              </footer>
            )}
          </Base.Popup>
        </Base.Viewport>
        <AlertDialog
          open={asking}
          onOpenChange={setAsking}
          title="Discard your changes?"
          description="What you entered has not been saved."
          confirmLabel="Discard changes"
          cancelLabel="Keep editing"
          onConfirm={() => {
            setAsking(false)
            onOpenChange(false)
          }}
        />
      </Base.Portal>
    </Base.Root>
  )
}

/** A footer button that closes the dialog around it, asking first when the dialog is dirty. */
export function DialogClose(props: ButtonProps) {
  return <Base.Close render={<Button {...props} />} />
}
