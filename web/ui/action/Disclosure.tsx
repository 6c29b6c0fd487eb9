import { ChevronRight } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'

export interface DisclosureProps {
  title: ReactNode
  defaultOpen?: boolean
  /** Set if the parent controls it; otherwise it opens and closes by itself. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}

export function Disclosure({ title, defaultOpen = false, open, onOpenChange, children }: DisclosureProps) {
  const id = useId()
  const [own, setOwn] = useState(defaultOpen)
  const isOpen = open ?? own
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => {
          setOwn(!isOpen)
          onOpenChange?.(!isOpen)
        }}
        className="group flex h-9 w-full items-center gap-2 rounded-lg text-left text-sm font-semibold"
      >
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-muted transition-transform group-aria-expanded:rotate-90"
        />
        {title}
      </button>
      {isOpen && (
        <div id={id} className="pt-2">
          {children}
        </div>
      )}
    </div>
  )
}
