import { SortButton } from '../../ui/show/table/SortButton.tsx'
import { HeaderCell, type HeaderCellProps } from '../../ui/show/table/Table.tsx'

export interface SortHeaderProps extends HeaderCellProps {
  by: 'name' | 'state' | 'received' | 'price'
  /** sort order of the list: 'name', '-price'; empty for newest first */
  sort: string
  onSort: (sort: string) => void
}

/** A column's head that sorts by the column; a second press reverses the order. */
export function SortHeader({ by, sort, onSort, children, ...rest }: SortHeaderProps) {
  const current = sort === '' ? '-received' : sort
  const isUp = current === by
  const isDown = current === `-${by}`
  // Time and price sort in descending order first: users look for the newest and the dearest.
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
