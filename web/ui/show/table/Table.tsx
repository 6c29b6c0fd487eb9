import clsx from 'clsx'
import type { ComponentProps, ReactNode, Ref, UIEventHandler } from 'react'
import { CARD_PART } from './card-part.ts'
import { moveByRow } from './move-by-row.ts'
import type { CardPart } from './table-column.ts'

export interface TableProps {
  /** Names the rows and the scrolling region. */
  label: string
  className?: string
  /** True for few narrow columns, which fit on a phone unless the text is enlarged. */
  isSlim?: boolean
  /**
   * True if the arrow keys move from a row's link or button to the same one in the next row, and Home and End
   * to the first and last row.
   */
  movesByRow?: boolean
  /** Shown inside the frame, above and below the table; scrolls with it. */
  before?: ReactNode
  after?: ReactNode
  /**
   * For long tables that render only some rows (use-row-window.ts): the scrolling element, and the number of
   * rows with the head.
   */
  frame?: Ref<HTMLDivElement>
  onScroll?: UIEventHandler<HTMLDivElement>
  rowCount?: number
  children: ReactNode
}

/**
 * A table that scrolls in its own frame, so a wide one never pushes the page. With a height on the frame the
 * header stays in view. In a narrow frame each row is a card (`cards:` in app.css). The roles are explicit,
 * because some screen readers ignore a table whose layout is changed by CSS.
 */
export function Table(props: TableProps) {
  const {
    label,
    className,
    isSlim = false,
    movesByRow = false,
    before,
    after,
    children,
    rowCount,
    frame,
    onScroll,
  } = props
  return (
    <div
      role="region"
      aria-label={label}
      // A scrolling region must be reachable by keyboard (WCAG 2.1.1).
      tabIndex={0}
      ref={frame}
      onScroll={onScroll}
      {...(movesByRow ? { onKeyDown: moveByRow } : {})}
      className={clsx(
        'relative overflow-auto -outline-offset-2',
        isSlim ? '@container/slim' : '@container/rows',
        className,
      )}
    >
      {before}
      <table
        role="table"
        aria-label={label}
        aria-rowcount={rowCount}
        className="w-full border-separate border-spacing-0 text-sm cards:block"
      >
        {children}
      </table>
      {after}
    </div>
  )
}

/** @param hasControls true if the head contains buttons; then it is also shown above cards */
export function TableHead({ hasControls = false, children }: { hasControls?: boolean; children: ReactNode }) {
  return (
    <thead
      role="rowgroup"
      className={hasControls ? 'cards:sticky cards:top-0 cards:z-10 cards:block' : 'cards:sr-only'}
    >
      <tr
        role="row"
        className="cards:flex cards:flex-wrap cards:gap-x-4 cards:border-b cards:border-line cards:bg-sunken cards:px-4 cards:py-1"
      >
        {children}
      </tr>
    </thead>
  )
}

export function TableBody({ children }: { children: ReactNode }) {
  return (
    <tbody role="rowgroup" className="cards:block">
      {children}
    </tbody>
  )
}

export interface HeaderCellProps extends ComponentProps<'th'> {
  numeric?: boolean
  /** True for a head with a control; others are hidden above cards. */
  isControl?: boolean
}

export function HeaderCell({ numeric = false, isControl = false, className, ...rest }: HeaderCellProps) {
  return (
    <th
      role="columnheader"
      scope="col"
      {...rest}
      className={clsx(
        'sticky top-0 z-10 h-9 border-b border-line bg-sunken px-3 text-xs font-medium whitespace-nowrap text-muted first:pl-4 last:pr-4',
        isControl
          ? 'cards:static cards:flex cards:h-8 cards:items-center cards:border-0 cards:p-0!'
          : 'cards:sr-only',
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
      role="row"
      {...rest}
      {...(selected ? { 'aria-selected': true } : {})}
      className={clsx(
        'group hover:bg-hover [&:last-child>td]:border-b-0',
        'cards:flex cards:flex-wrap cards:items-baseline cards:gap-x-3 cards:gap-y-1 cards:border-b cards:border-line cards:px-4 cards:py-3 cards:last:border-b-0',
        // The line break after a card's first line.
        'cards:before:order-5 cards:before:basis-full cards:before:content-[""]',
        selected && 'bg-accent-soft hover:bg-accent-soft',
        className,
      )}
    />
  )
}

export interface CellProps extends ComponentProps<'td'> {
  /** Right-aligned with tabular figures. */
  numeric?: boolean
  part?: CardPart
}

export function Cell({ numeric = false, part = 'note', className, ...rest }: CellProps) {
  return (
    <td
      role="cell"
      {...rest}
      className={clsx(
        'h-9 border-b border-line px-3 py-1.5 align-middle first:pl-4 last:pr-4',
        numeric && 'text-right tabular',
        className,
        // An empty cell is hidden on a card.
        'cards:block cards:h-auto cards:border-0 cards:p-0! cards:whitespace-normal cards:empty:hidden!',
        numeric && 'cards:text-left',
        CARD_PART[part],
      )}
    />
  )
}
