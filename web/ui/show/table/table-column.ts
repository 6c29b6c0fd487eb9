import type { ReactNode } from 'react'

/**
 * The role of a column, which decides its place when a row becomes a card. First line: `choose` (the
 * checkbox), `who`, `how` (the status) and the `menu`. Next: `when`, `brief` values that need no label, and
 * each `figure` after its column's name. A `note` and the `actions` have lines of their own. `aside` is
 * hidden and left to the row's own screen.
 */
export type CardPart =
  | 'choose'
  | 'who'
  | 'how'
  | 'menu'
  | 'when'
  | 'brief'
  | 'figure'
  | 'note'
  | 'actions'
  | 'aside'

export interface TableColumn<Item> {
  /** Name of the column; visually hidden for a column of controls. */
  header: string
  part: CardPart
  render: (item: Item) => ReactNode
  /** Right-aligned with tabular figures. */
  numeric?: boolean
  /** Replaces the header's text with a control that sorts or selects all. It is also shown above cards. */
  control?: ReactNode
  sort?: 'ascending' | 'descending' | 'none'
  /** classes of each cell */
  className?: string
  headerClass?: string
}
