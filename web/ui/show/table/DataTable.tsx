import { Fragment, type ReactNode } from 'react'
import {
  Cell,
  HeaderCell,
  Row,
  Table,
  TableBody,
  TableHead,
  type RowProps,
  type TableProps,
} from './Table.tsx'
import type { TableColumn } from './table-column.ts'

export interface DataTableProps<Item> extends Omit<TableProps, 'children'> {
  columns: readonly TableColumn<Item>[]
  items: readonly Item[]
  keyOf: (item: Item) => string
  rowProps?: (item: Item) => RowProps
  /** Renders rows that belong to a row, below it. */
  renderBelow?: (item: Item) => ReactNode
}

/** A table with columns; if they do not fit, each row becomes a card. */
export function DataTable<Item>({
  columns,
  items,
  keyOf,
  rowProps,
  renderBelow,
  ...table
}: DataTableProps<Item>) {
  return (
    <Table {...table}>
      <ColumnHeads columns={columns} />
      <TableBody>
        {items.map((item) => (
          <Fragment key={keyOf(item)}>
            <Row {...rowProps?.(item)}>
              <ColumnCells columns={columns} item={item} />
            </Row>
            {renderBelow?.(item)}
          </Fragment>
        ))}
      </TableBody>
    </Table>
  )
}

const hasControl = ({ part, control }: { part: string; control?: ReactNode }) =>
  control !== undefined && part !== 'aside'

export function ColumnHeads<Item>({ columns }: { columns: readonly TableColumn<Item>[] }) {
  return (
    <TableHead hasControls={columns.some(hasControl)}>
      {columns.map((column) => (
        <HeaderCell
          key={column.header}
          numeric={column.numeric ?? false}
          isControl={hasControl(column)}
          className={column.headerClass}
          {...(column.sort === undefined ? {} : { 'aria-sort': column.sort })}
        >
          {column.control ??
            (column.part === 'menu' || column.part === 'actions' ? (
              <span className="sr-only">{column.header}</span>
            ) : (
              column.header
            ))}
        </HeaderCell>
      ))}
    </TableHead>
  )
}

export function ColumnCells<Item>({ columns, item }: { columns: readonly TableColumn<Item>[]; item: Item }) {
  return columns.map(({ header, part, numeric = false, className, render }) => (
    <Cell
      key={header}
      part={part}
      numeric={numeric}
      className={className}
      {...(part === 'figure' ? { 'data-label': header } : {})}
    >
      {render(item)}
    </Cell>
  ))
}
