import clsx from 'clsx'
import { ChevronRight } from 'lucide-react'
import type { WaitingClient } from '#core/contract/operations/waits.ts'

export interface WaitingClientToggleProps {
  client: WaitingClient['client']
  isOpen: boolean
  onToggle: () => void
}

/** A client's row; opening it shows its endpoints below. */
export function WaitingClientToggle({ client, isOpen, onToggle }: WaitingClientToggleProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      title={client.email}
      className="flex h-9 max-w-80 items-center gap-2 rounded-sm text-left font-medium cards:h-7 cards:max-w-full"
    >
      <ChevronRight
        aria-hidden
        className={clsx('size-4 shrink-0 text-muted transition-transform', isOpen && 'rotate-90')}
      />
      <span className="truncate">{client.name}</span>
    </button>
  )
}
