/** What a spreadsheet would run as a formula, also by its wide forms; and what would be taken for such a text defused. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/
const DEFUSED = /^'+[=+\-@\t\r\n＝＋－＠]/
const NUMBER = /^-?\d+(?:\.\d+)?$/

/** A place where a program that separates cells by semicolons would begin a cell with a formula, even within quotation marks. */
const BREAK = /([;\r\n])/
const LATER_FORMULA = /^['"]*[=+\-@\t＝＋－＠]/
const LATER_DEFUSED = /^'['"]*[=+\-@\t＝＋－＠]/

/**
 * A text that a spreadsheet shows and never runs: what begins like a formula gets an apostrophe in front, at the beginning of the text and
 * behind each semicolon and line break in it. A plain number is none.
 */
export function defuseCell(text: string): string {
  const later = mapLaterParts(text, (part) =>
    LATER_FORMULA.test(part) && !NUMBER.test(part) ? `'${part}` : part,
  )
  return FORMULA.test(later) && !NUMBER.test(later) ? `'${later}` : later
}

/** A formula that is nothing but a text: spreadsheets write it so that digits keep their leading zeros. */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"\s*$/

/** The text of a cell that a spreadsheet or {@link defuseCell} wrote. */
export function readCell(cell: string): string {
  const [, text] = TEXT_FORMULA.exec(cell) ?? []
  return text === undefined ? restoreCell(cell) : text.replaceAll('""', '"')
}

/** The text that {@link defuseCell} was given. */
export function restoreCell(cell: string): string {
  return mapLaterParts(DEFUSED.test(cell) ? cell.slice(1) : cell, (part) =>
    LATER_DEFUSED.test(part) ? part.slice(1) : part,
  )
}

function mapLaterParts(text: string, change: (part: string) => string): string {
  if (!BREAK.test(text)) return text
  // Every second piece is what separates the parts.
  const pieces = text.split(BREAK)
  return pieces.map((piece, at) => (at > 0 && at % 2 === 0 ? change(piece) : piece)).join('')
}
