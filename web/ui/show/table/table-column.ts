import type { ReactNode } from 'react'

/**
 * What a column is of its row, and so where a card has it, which a row is where the table has no room for columns:
 * `choose` (its checkbox), `who`, `how` it went and the `menu` in the first line; `when` and whatever is `brief` and says what it
 * is by itself in the next, with each `figure` after its column's name; a `note` and the `actions` in lines of their own.
 * What stands `aside` is left to the row's own screen.
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
  /** Names it; not seen where the column is of controls. */
  header: string
  part: CardPart
  render: (item: Item) => ReactNode
  /** Right-aligned with tabular figures. */
  numeric?: boolean
  /** In place of the header's text: what sorts by it, or chooses all. A card list has it above the cards. */
  control?: ReactNode
  sort?: 'ascending' | 'descending' | 'none'
  /** of each cell */
  className?: string
  headerClass?: string
}
