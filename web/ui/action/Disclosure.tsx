import { Collapsible } from '@base-ui/react/collapsible'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

export interface DisclosureProps {
  title: ReactNode
  defaultOpen?: boolean
  /** Where the owner decides; otherwise it opens and closes by itself. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}

export function Disclosure({ title, defaultOpen = false, open, onOpenChange, children }: DisclosureProps) {
  return (
    <Collapsible.Root
      {...(open === undefined ? { defaultOpen } : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      <Collapsible.Trigger className="group flex h-9 w-full items-center gap-2 rounded-lg text-left text-sm font-semibold">
        <ChevronRight
          aria-hidden
          className="size-4 text-muted transition-transform group-data-panel-open:rotate-90"
        />
        {title}
      </Collapsible.Trigger>
      <Collapsible.Panel className="pt-2">{children}</Collapsible.Panel>
    </Collapsible.Root>
  )
}
