import clsx from 'clsx'
import { X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { IconButton } from '../action/IconButton.tsx'
import { Modal } from './layer/Modal.tsx'

export interface SheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  /** Shows the title to screen readers only, if the content has its own heading. */
  titleHidden?: boolean
  children: ReactNode
}

/** Slides in from the left, as the menu of a phone. */
export function Sheet({ open, ...props }: SheetProps) {
  return open && <OpenSheet {...props} />
}

function OpenSheet({ onOpenChange, title, titleHidden = false, children }: Omit<SheetProps, 'open'>) {
  const id = useId()
  return (
    <Modal
      labelledBy={id}
      onDismiss={() => onOpenChange(false)}
      outsideDismisses
      focus={{ first: () => null }}
      level="z-40"
      popupClass="relative flex h-full w-full max-w-72 flex-col transition-transform starting:-translate-x-full"
    >
      <header
        className={clsx(
          titleHidden
            ? 'absolute top-2.5 right-2 z-10'
            : 'flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-5',
        )}
      >
        <h2 id={id} className={titleHidden ? 'sr-only' : 'min-w-0 text-base font-semibold break-words'}>
          {title}
        </h2>
        <IconButton label="Close" icon={<X />} onClick={() => onOpenChange(false)} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </Modal>
  )
}
