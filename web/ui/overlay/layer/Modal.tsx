import clsx from 'clsx'
import { useRef, type ReactNode } from 'react'
import { Portal } from './Portal.tsx'
import { useEscape } from './use-escape.ts'
import { useModal, type ModalFocus } from './use-modal.ts'

export interface ModalProps {
  role?: 'dialog' | 'alertdialog'
  labelledBy: string
  describedBy?: string | undefined
  /** Escape was pressed, or something beside it. */
  onDismiss: () => void
  outsideDismisses?: boolean
  focus: ModalFocus
  /** What it lies over: dialogs lie over the page, questions and the palette over dialogs. */
  level: 'z-40' | 'z-50'
  /** Of what it stands in: where it stands, and how far from the edges. */
  className?: string
  popupClass: string
  children: ReactNode
}

/** What every dialog has in common: it lies over the page, keeps all else out of reach, and gives the focus back. */
export function Modal(props: ModalProps) {
  const layer = useRef<HTMLDivElement>(null)
  const pressedOutside = useRef(false)
  useModal(layer, props.focus)
  useEscape(props.onDismiss)
  return (
    <Portal ref={layer}>
      <div className={clsx('fixed inset-0 bg-scrim transition-opacity starting:opacity-0', props.level)} />
      {/* A selection that begins inside and ends outside is no press outside. What toasts lie over goes up by their height. */}
      <div className={clsx('@container/page fixed inset-0 mb-(--toast-room)', props.level)}>
        <div
          role="presentation"
          className={clsx('flex size-full', props.className)}
          onPointerDown={({ target, currentTarget }) => {
            pressedOutside.current = target === currentTarget
          }}
          onClick={({ target, currentTarget }) => {
            if (props.outsideDismisses === true && pressedOutside.current && target === currentTarget)
              props.onDismiss()
          }}
        >
          <div
            role={props.role ?? 'dialog'}
            aria-modal
            aria-labelledby={props.labelledBy}
            aria-describedby={props.describedBy}
            tabIndex={-1}
            className={clsx(
              'bg-raised shadow-float outline-none [--ground:var(--color-raised)]',
              props.popupClass,
            )}
          >
            {props.children}
          </div>
        </div>
      </div>
    </Portal>
  )
}
