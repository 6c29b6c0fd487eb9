import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'

export interface SortButtonProps {
  /** current sort order of this column */
  sort: 'ascending' | 'descending' | 'none'
  onClick: () => void
  children: ReactNode
}

/** A button in a column's head that sorts by it. The head announces the order (`aria-sort`). */
export function SortButton({ sort, onClick, children }: SortButtonProps) {
  const Icon = sort === 'ascending' ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      className="inline-flex h-6 items-center gap-1 rounded-sm hover:text-ink"
      onClick={onClick}
    >
      {children}
      {sort !== 'none' && <Icon aria-hidden className="size-3" />}
    </button>
  )
}
