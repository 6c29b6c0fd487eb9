import { DELIMITERS, type Delimiter } from '#core/contract/imports/lead-import.ts'
import { CsvFault } from './csv-fault.ts'
import { createRecordParser, type CsvRecord } from './parse-records.ts'

/** A spreadsheet writes this line first to name its delimiter. */
const SAID = /^sep=(.)(?:\r\n|\n|\r)/i
/** Number of records that are examined. */
const LOOKED_AT = 20

/**
 * Finds the separator of the cells: the one that the file names, or the one by which most of the first rows have the
 * usual number of cells or fewer. In a tie, the one without spaces after it wins, because spaces follow the commas of a
 * text. Then the one that cuts the first row into most cells wins. If no row has cells, it is a comma.
 * @param text the beginning of the file
 * @returns the separator, and the length of a first line that only names it
 */
export function guessDelimiter(text: string): { delimiter: Delimiter; skipped: number } {
  const [said, character] = SAID.exec(text) ?? []
  const known = DELIMITERS.find((delimiter) => delimiter === character)
  if (said !== undefined && known !== undefined) return { delimiter: known, skipped: said.length }
  const [first] = DELIMITERS.map((delimiter) => ({ delimiter, ...judge(text, delimiter) })).toSorted(
    (a, b) => b.agreeing - a.agreeing || a.spaced - b.spaced || b.firstWidth - a.firstWidth,
  )
  return { delimiter: first?.delimiter ?? ',', skipped: 0 }
}

interface Judgement {
  /** number of rows that it cuts into the usual (most frequent) number of cells, or fewer */
  agreeing: number
  /** number of those in which a space follows it */
  spaced: number
  /** number of cells in the first row */
  firstWidth: number
}

function judge(text: string, delimiter: Delimiter): Judgement {
  try {
    const rows = readFirst(text, delimiter).map(({ cells }) => ({ cells, width: widthOf(cells) }))
    const columns = findCommonest(rows.map(({ width }) => width).filter((width) => width > 1))
    const alike = rows.filter(({ width }) => width > 1 && width <= columns)
    const spaced = alike.filter(({ cells }) => cells.some((cell, at) => at > 0 && cell.startsWith(' ')))
    return { agreeing: alike.length, spaced: spaced.length, firstWidth: Math.max(1, rows[0]?.width ?? 1) }
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    // With another separator the text may be readable. If it is not, too many cells is the most telling fault.
    return { agreeing: 0, spaced: 0, firstWidth: error.code === 'too_many_columns' ? Infinity : 0 }
  }
}

/** The most frequent number, the largest among equals; 1 if there is none. */
function findCommonest(widths: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1)
  const [commonest] = [...counts].toSorted(([a, times], [b, others]) => others - times || b - a)
  return commonest?.[0] ?? 1
}

/** The last record may be incomplete: it counts only if it is the only one. */
function readFirst(text: string, delimiter: Delimiter): CsvRecord[] {
  const parser = createRecordParser(delimiter)
  const whole = parser.read(text).take(LOOKED_AT).toArray()
  return whole.length > 0 ? whole : parser.end().toArray()
}

/**
 * Number of cells without empty ones at the end; 0 if a cell holds half a quotation, because it was cut in the wrong
 * place.
 */
function widthOf(cells: readonly string[]): number {
  if (cells.some((cell) => cell.split('"').length % 2 === 0)) return 0
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1
}
