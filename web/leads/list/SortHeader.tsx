import { SortButton } from '../../ui/show/table/SortButton.tsx'
import { HeaderCell, type HeaderCellProps } from '../../ui/show/table/Table.tsx'

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
  const how = isUp ? 'ascending' : isDown ? 'descending' : 'none'
  return (
    <HeaderCell {...rest} isControl aria-sort={how}>
      <SortButton sort={how} onClick={() => onSort(next === '-received' ? '' : next)}>
        {children}
      </SortButton>
    </HeaderCell>
  )
}
