import { DELIMITERS, type Delimiter } from '#core/contract/leads/lead-import.ts'
import { CsvFault } from './csv-fault.ts'
import { createRecordParser, type CsvRecord } from './parse-records.ts'

/** What a spreadsheet writes in front of all else, to say so itself. */
const SAID = /^sep=(.)(?:\r\n|\n|\r)/i
/** So many records are looked at. */
const LOOKED_AT = 20

/**
 * What separates the cells, as the file says or as most of its first rows agree: with it they have cells, and no more than the first that
 * has some. Of those that agree as often, the one with the most columns; a comma where no row has cells.
 * @param text begins the file
 * @returns and how many characters of the beginning only say so
 */
export function guessDelimiter(text: string): { delimiter: Delimiter; skipped: number } {
  const [said, character] = SAID.exec(text) ?? []
  const known = DELIMITERS.find((delimiter) => delimiter === character)
  if (said !== undefined && known !== undefined) return { delimiter: known, skipped: said.length }
  const [first] = DELIMITERS.map((delimiter) => ({ delimiter, ...judge(text, delimiter) })).toSorted(
    (a, b) => b.agreeing - a.agreeing || b.columns - a.columns,
  )
  return { delimiter: first?.delimiter ?? ',', skipped: 0 }
}

function judge(text: string, delimiter: Delimiter): { agreeing: number; columns: number } {
  const widths = readFirst(text, delimiter).map(widthOf)
  const columns = widths.find((width) => width > 1) ?? 1
  return { agreeing: widths.filter((width) => width > 1 && width <= columns).length, columns }
}

/** The last may be cut short: it counts only where it is the only one. */
function readFirst(text: string, delimiter: Delimiter): CsvRecord[] {
  const parser = createRecordParser(delimiter)
  try {
    const whole = parser.read(text).take(LOOKED_AT).toArray()
    return whole.length > 0 ? whole : parser.end().toArray()
  } catch (error) {
    // Cut by another, the text may be readable.
    if (error instanceof CsvFault) return []
    throw error
  }
}

/** Without what is empty at its end; 0 where a cell holds half of a quotation, and so was cut where it should not be. */
function widthOf({ cells }: CsvRecord): number {
  if (cells.some((cell) => cell.split('"').length % 2 === 0)) return 0
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1
}
