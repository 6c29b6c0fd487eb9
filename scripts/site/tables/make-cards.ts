import type { Token } from 'markdown-it'

/** A column with a longer cell than this holds sentences. */
const LONG_CHARACTERS = 40

/** Roles that a browser forgets once rows are no longer displayed as a table (web/site/prose.css). */
const ROLES: Readonly<Record<string, string>> = {
  thead_open: 'rowgroup',
  tbody_open: 'rowgroup',
  tr_open: 'row',
  th_open: 'columnheader',
  td_open: 'cell',
}

/**
 * Prepares tables whose rows are cards on a phone: those with two columns of sentences, which would be narrow beside each
 * other. Each cell gets the name of its column, and `meta.isCards` marks the table.
 */
export function makeCards(tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'table_open') continue
    const table = tokens.slice(at, tokens.indexOf(findClose(tokens, at)))
    const rows = readRows(table)
    const [names = []] = rows
    const long = names.filter((_name, column) =>
      rows.some((cells) => textOf(cells[column]).length > LONG_CHARACTERS),
    )
    if (long.length < 2) continue
    token.meta = { isCards: true }
    for (const one of table) {
      const role = ROLES[one.type]
      if (role !== undefined) one.attrSet('role', role)
    }
    for (const cells of rows.slice(1))
      for (const [column, { open }] of cells.entries()) open.attrSet('data-label', textOf(names[column]))
  }
}

interface Cell {
  open: Token
  inline: Token | undefined
}

function findClose(tokens: readonly Token[], from: number): Token {
  const close = tokens.slice(from).find(({ type }) => type === 'table_close')
  if (close === undefined) throw new Error('A table has no end')
  return close
}

/** The cells of each row, the head first. */
function readRows(table: readonly Token[]): Cell[][] {
  const rows: Cell[][] = []
  for (const [at, open] of table.entries()) {
    if (open.type === 'tr_open') rows.push([])
    if (open.type === 'th_open' || open.type === 'td_open') rows.at(-1)?.push({ open, inline: table[at + 1] })
  }
  return rows
}

function textOf(cell: Cell | undefined): string {
  return cell?.inline?.children?.map(({ content }) => content).join('') ?? ''
}
