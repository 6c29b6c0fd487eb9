import clsx from 'clsx'
import { useEffect, useId, useState, type ReactElement, type ReactNode } from 'react'
import { bindTrigger } from './layer/bind-trigger.ts'
import { Portal } from './layer/Portal.tsx'
import { useEscape } from './layer/use-escape.ts'
import { usePlacement } from './layer/use-placement.ts'

export interface PopoverProps {
  trigger: ReactElement
  title: ReactNode
  align?: 'start' | 'center' | 'end'
  className?: string
  children: ReactNode
}

/** A panel beside its button; the page around it stays usable. */
export function Popover({ trigger, title, align = 'end', className, children }: PopoverProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const isOpen = anchor !== null
  return (
    <>
      {bindTrigger(
        trigger,
        { 'aria-haspopup': 'dialog', 'aria-expanded': isOpen, 'data-popup-open': isOpen ? '' : undefined },
        { onClick: ({ currentTarget }) => setAnchor(isOpen ? null : currentTarget) },
      )}
      {anchor !== null && (
        <OpenPopover
          anchor={anchor}
          title={title}
          align={align}
          className={clsx(className)}
          onClose={() => setAnchor(null)}
        >
          {children}
        </OpenPopover>
      )}
    </>
  )
}

interface OpenPopoverProps extends Required<Omit<PopoverProps, 'trigger'>> {
  anchor: HTMLElement
  onClose: () => void
}

function OpenPopover({ anchor, title, align, className, children, onClose }: OpenPopoverProps) {
  const id = useId()
  const popup = usePlacement(anchor, { align })
  useEffect(() => popup.current?.focus({ preventScroll: true }), [popup])
  useEscape(() => {
    anchor.focus({ preventScroll: true })
    onClose()
  })
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent) => {
      if (!(target instanceof Node) || popup.current?.contains(target) === true || anchor.contains(target))
        return
      onClose()
    }
    // The panel is at the end of the page, so Tab out of it continues after its button.
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== 'Tab' || document.activeElement !== popup.current) return
      anchor.focus({ preventScroll: true })
      onClose()
    }
    document.addEventListener('pointerdown', onPointerDown)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('pointerdown', onPointerDown)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [anchor, onClose, popup])
  return (
    <Portal>
      <div
        ref={popup}
        role="dialog"
        aria-labelledby={id}
        tabIndex={-1}
        className={clsx(
          'pop-motion fixed z-50 w-80 max-w-[calc(100vw-2rem)] overflow-y-auto rounded-lg bg-raised shadow-float outline-none',
          className,
        )}
      >
        <h2 id={id} className="border-b border-line px-4 py-2.5 text-sm font-semibold">
          {title}
        </h2>
        {children}
      </div>
    </Portal>
  )
}
