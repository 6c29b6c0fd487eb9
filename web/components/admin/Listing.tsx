import type { ReactNode } from 'react'
import type { AdminPermission } from '#core/contract/accounts/admin-role.ts'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import type { CardPart, TableColumn } from '#web/ui/show/table/table-column.ts'
import { useMay } from './use-may.ts'

export interface Column<Item> extends Pick<TableColumn<Item>, 'header' | 'render' | 'numeric'> {
  /** By default the first column names the row and the others are figures. */
  part?: CardPart
}

export interface ListingProps<Item> {
  /** Accessible name of the table. */
  label: string
  items: readonly Item[]
  keyOf: (item: Item) => string
  /** The first column names the row. */
  columns: readonly [Column<Item>, ...Column<Item>[]]
  renderActions?: (item: Item) => ReactNode
  /** The permission that a role must include to see the actions. */
  needs?: AdminPermission
}

/** A table for administrators, with the actions at the end of each row. */
export function Listing<Item>(props: ListingProps<Item>) {
  const { label, items, keyOf, columns, renderActions, needs = 'read' } = props
  const mayAct = useMay(needs)
  const shown: TableColumn<Item>[] = columns.map((column, index) =>
    index === 0 ? { part: 'who', className: 'font-medium', ...column } : { part: 'figure', ...column },
  )
  if (renderActions !== undefined && mayAct) {
    const className = 'py-1! text-right whitespace-nowrap'
    shown.push({ header: 'Actions', part: 'actions', className, render: renderActions })
  }
  return <DataTable label={label} className="sm:max-h-[36rem]" columns={shown} items={items} keyOf={keyOf} />
}
