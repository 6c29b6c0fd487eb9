/** The reason why a row cannot become a lead, whatever its columns mean. */
export type RowFault = 'too_long' | 'too_many_cells' | 'too_few_cells' | 'nul' | 'bad_characters'

/** core/contract/imports/lead-import.ts: IMPORT_LIMITS.rowCharacters */
const MOST_CHARACTERS = 65_536
/** Characters that are kept of a cell in a row that is too long. */
const SHOWN = 200

const SENTENCES: Readonly<Record<RowFault, string>> = {
  too_long: `Is too long (at most ${MOST_CHARACTERS.toLocaleString('en-US')} characters in a row)`,
  too_many_cells: 'Has more cells than there are columns',
  // Only older versions wrote this.
  too_few_cells: 'Has fewer cells than there are columns',
  nul: 'Must not contain a NUL character',
  bad_characters: 'Holds bytes that are no text in the encoding of the file',
}

export function describeRowFault(fault: RowFault): string {
  return SENTENCES[fault]
}

/**
 * Fits a row to the number of columns, or returns its fault. Missing cells at its end are empty, because spreadsheets
 * leave out empty ones; empty cells past the last column are ignored. A row with a fault keeps only what can be stored
 * and shown.
 */
export function judgeRow(
  cells: readonly string[],
  columns: number,
): { cells: string[]; fault: RowFault | null } {
  const own = cells.slice(0, columns)
  const further = cells.slice(columns)
  const fault = findFault(cells, further)
  if (fault === null)
    return { cells: [...own, ...Array.from({ length: columns - own.length }, () => '')], fault }
  return { cells: own.map((cell) => cell.slice(0, SHOWN).toWellFormed().replaceAll('\0', '\uFFFD')), fault }
}

function findFault(cells: readonly string[], further: readonly string[]): RowFault | null {
  if (cells.reduce((sum, cell) => sum + cell.length, 0) > MOST_CHARACTERS) return 'too_long'
  if (cells.some((cell) => cell.includes('\0'))) return 'nul'
  if (cells.some((cell) => cell.includes('\uFFFD'))) return 'bad_characters'
  return further.some((cell) => cell.trim() !== '') ? 'too_many_cells' : null
}
