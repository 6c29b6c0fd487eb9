import type { ReactNode } from 'react'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import type { CardPart, TableColumn } from '#web/ui/show/table/table-column.ts'

export interface Column<Item> extends Pick<TableColumn<Item>, 'header' | 'render' | 'numeric'> {
  /** The first names the row; the others are figures unless told. */
  part?: CardPart
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

/** A table of the administrators, with what can be done with a row at its end. */
export function Listing<Item>({ label, items, keyOf, columns, renderActions }: ListingProps<Item>) {
  const shown: TableColumn<Item>[] = columns.map((column, index) =>
    index === 0 ? { part: 'who', className: 'font-medium', ...column } : { part: 'figure', ...column },
  )
  if (renderActions !== undefined) {
    const className = 'py-1! text-right whitespace-nowrap'
    shown.push({ header: 'Actions', part: 'actions', className, render: renderActions })
  }
  return <DataTable label={label} className="sm:max-h-[36rem]" columns={shown} items={items} keyOf={keyOf} />
}
