import { defuseCell } from './formula-cell.ts'

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

/**
 * One row of a CSV file (RFC 4180) with its line end. A cell that begins like a formula gets an apostrophe in front. A
 * plain number, negative too, stays a number. Null is an empty cell.
 */
export function writeCsvRow(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => writeCell(cell ?? '')).join(',')}\r\n`
}

function writeCell(text: string): string {
  const cell = defuseCell(text)
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
