import { Popover as Base } from '@base-ui/react/popover'
import clsx from 'clsx'
import type { ReactElement, ReactNode } from 'react'

export interface PopoverProps {
  trigger: ReactElement
  title: ReactNode
  align?: 'start' | 'center' | 'end'
  className?: string
  children: ReactNode
}

export function Popover({ trigger, title, align = 'end', className, children }: PopoverProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className="z-50">
          <Base.Popup
            className={clsx(
              'pop-motion w-80 max-w-[calc(100vw-2rem)] rounded-lg bg-raised shadow-float outline-none',
              className,
            )}
          >
            <Base.Title className="border-b border-line px-4 py-2.5 text-sm font-semibold">
              {title}
            </Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
