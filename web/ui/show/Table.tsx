import clsx from 'clsx'
import type { ComponentProps, ReactNode, Ref, UIEventHandler } from 'react'

export interface TableProps {
  /** Says what the rows are; names the scrolling region too. */
  label: string
  className?: string
  /** Inside the frame, above and under the table; scrolls with it. */
  before?: ReactNode
  after?: ReactNode
  /** Of the rows that are drawn of a long table (use-row-window.ts): what scrolls, and how many rows there are with the head's. */
  frame?: Ref<HTMLDivElement>
  onScroll?: UIEventHandler<HTMLDivElement>
  rowCount?: number
  children: ReactNode
}

/** Scrolls inside its own frame, so a wide table never pushes the page; give the frame a height and the header stays. */
export function Table({ label, className, before, after, children, rowCount, frame, onScroll }: TableProps) {
  return (
    <div
      role="region"
      aria-label={label}
      // A region that scrolls must be reachable by keyboard (WCAG 2.1.1).
      tabIndex={0}
      ref={frame}
      onScroll={onScroll}
      className={clsx('relative overflow-auto -outline-offset-2', className)}
    >
      {before}
      <table
        aria-label={label}
        aria-rowcount={rowCount}
        className="w-full border-separate border-spacing-0 text-sm"
      >
        {children}
      </table>
      {after}
    </div>
  )
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead>
      <tr>{children}</tr>
    </thead>
  )
}

export interface HeaderCellProps extends ComponentProps<'th'> {
  numeric?: boolean
}

export function HeaderCell({ numeric = false, className, ...rest }: HeaderCellProps) {
  return (
    <th
      scope="col"
      {...rest}
      className={clsx(
        'sticky top-0 z-10 h-9 border-b border-line bg-sunken px-3 text-xs font-medium whitespace-nowrap text-muted first:pl-4 last:pr-4',
        numeric ? 'text-right' : 'text-left',
        className,
      )}
    />
  )
}

export interface RowProps extends ComponentProps<'tr'> {
  selected?: boolean
}

export function Row({ selected = false, className, ...rest }: RowProps) {
  return (
    <tr
      {...rest}
      {...(selected ? { 'aria-selected': true } : {})}
      className={clsx(
        '[&:last-child>td]:border-b-0 hover:bg-hover',
        selected && 'bg-accent-soft hover:bg-accent-soft',
        className,
      )}
    />
  )
}

export interface CellProps extends ComponentProps<'td'> {
  /** Right-aligned with tabular figures. */
  numeric?: boolean
}

export function Cell({ numeric = false, className, ...rest }: CellProps) {
  return (
    <td
      {...rest}
      className={clsx(
        'h-9 border-b border-line px-3 py-1.5 align-middle first:pl-4 last:pr-4',
        numeric && 'text-right tabular',
        className,
      )}
    />
  )
}
