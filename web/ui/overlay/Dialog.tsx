import clsx from 'clsx'
import { X } from 'lucide-react'
import { createContext, useContext, useId, useRef, useState, type ReactNode } from 'react'
import { AlertDialog } from './AlertDialog.tsx'
import { Button, type ButtonProps } from '../action/Button.tsx'
import { IconButton } from '../action/IconButton.tsx'
import { useAskBeforeBack } from '../use-ask-before-back.ts'
import { useAskBeforeUnload } from '../use-ask-before-unload.ts'
import { Modal } from './layer/Modal.tsx'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl'
  /**
   * True with unsaved changes: an outside click, Escape, Cancel, Back or closing the page then asks first.
   */
  dirty?: boolean
  /** False if it shows what cannot be read again: a press outside then does not close it. */
  outsideDismisses?: boolean
  /** Stays in view below the scrolling body; a submit button here names its form by the `form` attribute. */
  footer?: ReactNode
  /** Removes the padding, for a table or two panes. */
  flush?: boolean
  /** Element with the first focus: the first field if there is one, or always the title. */
  startAt?: 'field' | 'title'
  /** Returns the element to focus after closing; null to use the opener if it is still there. */
  finalFocus?: (() => HTMLElement | null) | undefined
  children: ReactNode
}

const WIDTHS = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl', xl: 'max-w-6xl' }

const AskToClose = createContext<() => void>(() => undefined)

export function Dialog(props: DialogProps) {
  if (!props.open) return null
  return <OpenDialog {...props} />
}

function OpenDialog(props: DialogProps) {
  const { onOpenChange, title, description, size = 'md', dirty = false, footer, flush = false } = props
  const { outsideDismisses = true } = props
  const id = useId()
  const [asking, setAsking] = useState(false)
  useAskBeforeUnload(dirty)
  useAskBeforeBack(dirty, () => setAsking(true))
  const heading = useRef<HTMLHeadingElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const close = () => {
    if (dirty) setAsking(true)
    else onOpenChange(false)
  }
  const findFirst = () =>
    (props.startAt === 'title'
      ? null
      : // A search above a list is no first field, and neither is a radio that is already chosen.
        body.current?.querySelector<HTMLElement>(
          'input:not([type=search], [type=hidden], [tabindex="-1"]), textarea, button[role=combobox][aria-required=true]',
        )) ?? heading.current
  return (
    <Modal
      labelledBy={`${id}-title`}
      describedBy={description === undefined ? undefined : `${id}-description`}
      onDismiss={close}
      outsideDismisses={outsideDismisses}
      focus={{ first: findFirst, last: props.finalFocus }}
      level="z-40"
      className="items-end justify-center sm:items-center sm:p-6"
      popupClass={clsx(
        'pop-motion flex max-h-[calc(100%-2rem)] w-full flex-col rounded-t-lg sm:max-h-full sm:rounded-lg',
        WIDTHS[size],
      )}
    >
      <AskToClose value={close}>
        <header className="flex items-start justify-between gap-4 border-b border-line py-3 pr-3 pl-5">
          <div className="min-w-0 py-1">
            <h2
              id={`${id}-title`}
              ref={heading}
              tabIndex={-1}
              className="text-base font-semibold break-words outline-none"
            >
              {title}
            </h2>
            {description !== undefined && (
              <p id={`${id}-description`} className="mt-0.5 text-sm break-words text-muted">
                {description}
              </p>
            )}
          </div>
          <IconButton label="Close" icon={<X />} onClick={close} />
        </header>
        <div ref={body} className={clsx('min-h-0 flex-1 overflow-y-auto', !flush && 'p-5')}>
          {props.children}
        </div>
        {footer !== undefined && (
          <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3 tight:px-3">
            {footer}
          </footer>
        )}
      </AskToClose>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title="Discard your changes?"
        description="What you entered has not been saved."
        confirmLabel="Discard changes"
        cancelLabel="Keep editing"
        asks={false}
        onConfirm={() => {
          setAsking(false)
          onOpenChange(false)
        }}
      />
    </Modal>
  )
}

/** A footer button that closes its dialog, and asks first if the dialog is dirty. */
export function DialogClose({ onClick, ...props }: ButtonProps) {
  const close = useContext(AskToClose)
  return (
    <Button
      {...props}
      onClick={(event) => {
        onClick?.(event)
        close()
      }}
    />
  )
}
