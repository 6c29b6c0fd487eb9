/** What a spreadsheet would run as a formula, also by its wide forms; and what would be taken for such a text defused. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/
const DEFUSED = /^'+[=+\-@\t\r\n＝＋－＠]/
const NUMBER = /^-?\d+(?:\.\d+)?$/

/** A text that a spreadsheet shows and never runs: what begins like a formula gets an apostrophe in front. A plain number is none. */
export function defuseCell(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

/** The text that {@link defuseCell} was given. */
export function restoreCell(cell: string): string {
  return DEFUSED.test(cell) ? cell.slice(1) : cell
}
