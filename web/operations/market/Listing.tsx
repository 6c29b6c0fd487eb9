import clsx from 'clsx'
import type { ReactNode } from 'react'
import { Cell, HeaderCell, Row, Table, TableHead } from '#web/ui/show/Table.tsx'
import { useIsNarrow } from '#web/ui/use-is-narrow.ts'

export interface Column<Item> {
  header: string
  render: (item: Item) => ReactNode
  numeric?: boolean
}

export interface ListingProps<Item> {
  /** Says what the rows are. */
  label: string
  items: readonly Item[]
  keyOf: (item: Item) => string
  /** The first one names the row. */
  columns: readonly [Column<Item>, ...Column<Item>[]]
  renderActions?: (item: Item) => ReactNode
}

/** A table, and on a phone a card for each row. */
export function Listing<Item>({ label, items, keyOf, columns, renderActions }: ListingProps<Item>) {
  const isNarrow = useIsNarrow()
  const [first, ...rest] = columns
  if (isNarrow) {
    return (
      <ul aria-label={label} className="divide-y divide-line">
        {items.map((item) => (
          <li key={keyOf(item)} className="flex flex-col gap-2 px-4 py-3 text-sm">
            <div className="font-medium">{first.render(item)}</div>
            <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1">
              {rest.map(({ header, render }) => (
                <div key={header} className="contents">
                  <dt className="text-xs text-muted">{header}</dt>
                  <dd className="min-w-0 text-right break-words tabular">{render(item)}</dd>
                </div>
              ))}
            </dl>
            {renderActions !== undefined && (
              <div className="flex flex-wrap gap-2 pt-1">{renderActions(item)}</div>
            )}
          </li>
        ))}
      </ul>
    )
  }
  return (
    <Table label={label} className="max-h-[36rem]">
      <TableHead>
        {columns.map(({ header, numeric = false }) => (
          <HeaderCell key={header} numeric={numeric}>
            {header}
          </HeaderCell>
        ))}
        {renderActions !== undefined && (
          <HeaderCell>
            <span className="sr-only">Actions</span>
          </HeaderCell>
        )}
      </TableHead>
      <tbody>
        {items.map((item) => (
          <Row key={keyOf(item)}>
            {columns.map(({ header, render, numeric = false }, index) => (
              <Cell key={header} numeric={numeric} className={clsx(index === 0 && 'font-medium')}>
                {render(item)}
              </Cell>
            ))}
            {renderActions !== undefined && (
              <Cell className="py-1! text-right whitespace-nowrap">{renderActions(item)}</Cell>
            )}
          </Row>
        ))}
      </tbody>
    </Table>
  )
}
