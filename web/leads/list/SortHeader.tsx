import { ArrowDown, ArrowUp } from 'lucide-react'
import { HeaderCell, type HeaderCellProps } from '../../ui/show/Table.tsx'

export interface SortHeaderProps extends HeaderCellProps {
  by: 'name' | 'state' | 'received' | 'price'
  /** what the list is sorted by: 'name', '-price'; empty for newest first */
  sort: string
  onSort: (sort: string) => void
}

/** A column's head that sorts by it; pressed again, the other way round. */
export function SortHeader({ by, sort, onSort, children, ...rest }: SortHeaderProps) {
  const current = sort === '' ? '-received' : sort
  const isUp = current === by
  const isDown = current === `-${by}`
  // The newest and the dearest are looked for first.
  const isFirstDown = by === 'received' || by === 'price'
  const next = isUp ? `-${by}` : isDown ? by : isFirstDown ? `-${by}` : by
  const Icon = isUp ? ArrowUp : ArrowDown
  return (
    <HeaderCell {...rest} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <button
        type="button"
        className="inline-flex items-center gap-1 rounded-sm hover:text-ink"
        onClick={() => onSort(next === '-received' ? '' : next)}
      >
        {children}
        {(isUp || isDown) && <Icon aria-hidden className="size-3" />}
      </button>
    </HeaderCell>
  )
}
