import clsx from 'clsx'
import { useRef, type ReactNode } from 'react'
import { Portal } from './Portal.tsx'
import { useEscape } from './use-escape.ts'
import { useModal, type ModalFocus } from './use-modal.ts'

export interface ModalProps {
  role?: 'dialog' | 'alertdialog'
  labelledBy: string
  describedBy?: string | undefined
  /** Called at Escape and at a press outside. */
  onDismiss: () => void
  outsideDismisses?: boolean
  focus: ModalFocus
  /** The z-index: dialogs are above the page, questions and the palette above dialogs. */
  level: 'z-40' | 'z-50'
  /** Classes of the backdrop: position and distance from the edges. */
  className?: string
  popupClass: string
  children: ReactNode
}

/**
 * The common part of all dialogs: it covers the page, makes everything else unreachable, and returns the
 * focus.
 */
export function Modal(props: ModalProps) {
  const layer = useRef<HTMLDivElement>(null)
  const pressedOutside = useRef(false)
  useModal(layer, props.focus)
  useEscape(props.onDismiss)
  return (
    <Portal ref={layer}>
      <div className={clsx('fixed inset-0 bg-scrim transition-opacity starting:opacity-0', props.level)} />
      {/* A selection that begins inside and ends outside is no press outside. `--toast-room` moves the
          dialog up if toasts cover it. */}
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
