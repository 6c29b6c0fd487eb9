/**
 * Text that a spreadsheet would run as a formula, also in full-width characters; and text that looks like a defused
 * formula.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/
const DEFUSED = /^'+[=+\-@\t\r\n＝＋－＠]/
const NUMBER = /^-?\d+(?:\.\d+)?$/

/**
 * A place where a program that separates cells by semicolons would begin a cell with a formula, even within quotation
 * marks.
 */
const BREAK = /([;\r\n])/
const LATER_FORMULA = /^['"]*[=+\-@\t＝＋－＠]/
const LATER_DEFUSED = /^'['"]*[=+\-@\t＝＋－＠]/

/**
 * Returns a text that a spreadsheet shows and never runs. A text that begins like a formula gets an apostrophe in
 * front, at its beginning and after each semicolon and line break in it. A plain number is no formula.
 */
export function defuseCell(text: string): string {
  const later = mapLaterParts(text, (part) =>
    LATER_FORMULA.test(part) && !NUMBER.test(part) ? `'${part}` : part,
  )
  return FORMULA.test(later) && !NUMBER.test(later) ? `'${later}` : later
}

/** A formula that only contains a text: spreadsheets write it so that digits keep their leading zeros. */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"\s*$/

/** Reads a cell that a spreadsheet or {@link defuseCell} wrote. */
export function readCell(cell: string): string {
  const [, text] = TEXT_FORMULA.exec(cell) ?? []
  return text === undefined ? restoreCell(cell) : text.replaceAll('""', '"')
}

/** Returns the text that was given to {@link defuseCell}. */
export function restoreCell(cell: string): string {
  return mapLaterParts(DEFUSED.test(cell) ? cell.slice(1) : cell, (part) =>
    LATER_DEFUSED.test(part) ? part.slice(1) : part,
  )
}

function mapLaterParts(text: string, change: (part: string) => string): string {
  if (!BREAK.test(text)) return text
  // Every second piece is the separator between the parts.
  const pieces = text.split(BREAK)
  return pieces.map((piece, at) => (at > 0 && at % 2 === 0 ? change(piece) : piece)).join('')
}
