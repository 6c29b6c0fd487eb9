import clsx from 'clsx'
import type { ComponentProps } from 'react'
import { Portal } from './Portal.tsx'
import { usePlacement, type PlacementOptions } from './use-placement.ts'

export interface FloatingListProps extends ComponentProps<'div'> {
  anchor: HTMLElement
  placement?: PlacementOptions
  /** Called after a press outside; that press does nothing else. */
  onDismiss: () => void
}

/** The popup list of a menu or select, beside its trigger. */
export function FloatingList({ anchor, placement, onDismiss, className, ...rest }: FloatingListProps) {
  const popup = usePlacement(anchor, placement)
  return (
    <Portal>
      <div role="presentation" className="fixed inset-0 z-50" onClick={onDismiss} />
      <div
        {...rest}
        ref={popup}
        className={clsx(
          'pop-motion fixed z-50 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg bg-raised p-1 shadow-float outline-none',
          className,
        )}
      />
    </Portal>
  )
}
