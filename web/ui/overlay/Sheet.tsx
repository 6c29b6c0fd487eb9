import { Dialog as Base } from '@base-ui/react/dialog'
import clsx from 'clsx'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../action/IconButton.tsx'

export interface SheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  /** Where it slides in from. */
  side?: 'left' | 'right'
  size?: 'sm' | 'lg'
  /** Keeps the title for screen readers only, where the content has its own head. */
  titleHidden?: boolean
  footer?: ReactNode
  children: ReactNode
}

export function Sheet(props: SheetProps) {
  const {
    open,
    onOpenChange,
    title,
    side = 'right',
    size = 'sm',
    titleHidden = false,
    footer,
    children,
  } = props
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          className={clsx(
            'fixed inset-y-0 z-40 flex w-full flex-col bg-raised shadow-float outline-none transition-transform',
            side === 'left'
              ? 'left-0 data-ending-style:-translate-x-full data-starting-style:-translate-x-full'
              : 'right-0 data-ending-style:translate-x-full data-starting-style:translate-x-full',
            size === 'sm' ? 'max-w-72' : 'max-w-2xl',
          )}
        >
          <header
            className={clsx(
              titleHidden
                ? 'absolute top-2.5 right-2 z-10'
                : 'flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-5',
            )}
          >
            <Base.Title className={titleHidden ? 'sr-only' : 'min-w-0 text-base font-semibold break-words'}>
              {title}
            </Base.Title>
            <Base.Close render={<IconButton label="Close" icon={<X />} />} />
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
          {footer !== undefined && (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">
              {footer}
            </footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
