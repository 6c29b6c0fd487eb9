import { IMPORT_LIMITS, type Delimiter, type Encoding } from '#core/contract/leads/lead-import.ts'
import { restoreCell } from '#core/domain/formula-cell.ts'
import { judgeRow, type RowFault } from '#core/domain/imports/judge-row.ts'
import { nameColumns } from '#core/domain/imports/name-columns.ts'
import { CsvFault } from './csv-fault.ts'
import { decodeText, type TextDecoding } from './decode-text.ts'
import { endOfFirstLine, guessDelimiter } from './guess-delimiter.ts'
import { parseRecords } from './parse-records.ts'

/** One row below the header, which is row 1. Its cells are as many as there are columns, unless it has a fault. */
export interface CsvRow {
  row: number
  cells: string[]
  fault: RowFault | null
}

export interface OpenedCsv {
  columns: string[]
  delimiter: Delimiter
  /** as found so far */
  encoding: () => Encoding
  /** without those that are empty. @throws CsvFault */
  rows: AsyncGenerator<CsvRow>
}

/**
 * Reads CSV as it comes, holding no more than a row of it. The first row that is not empty names the columns.
 * @param chosen by a person; what is left out is found out
 * @throws CsvFault
 */
export async function openCsv(
  bytes: AsyncIterable<Uint8Array>,
  chosen: { encoding?: Encoding | null; delimiter?: Delimiter | null },
): Promise<OpenedCsv> {
  const decoding = decodeText(chosen.encoding)
  const pieces = decodeAll(bytes, decoding)
  const head = await readHead(pieces)
  const guess = guessDelimiter(head)
  const delimiter = chosen.delimiter ?? guess.delimiter
  const records = parseRecords(follow(head.slice(guess.skipped), pieces), delimiter)
  for (let next = await records.next(); next.done !== true; next = await records.next()) {
    const cells = next.value.cells.map(restoreCell)
    if (isEmpty(cells)) continue
    const naming = nameColumns(cells)
    if (!naming.ok) {
      await records.return(undefined)
      throw new CsvFault(naming.fault, next.value.row)
    }
    const { columns } = naming
    return { columns, delimiter, encoding: decoding.encoding, rows: readRows(records, columns.length) }
  }
  throw new CsvFault('empty')
}

async function* decodeAll(bytes: AsyncIterable<Uint8Array>, decoding: TextDecoding): AsyncGenerator<string> {
  for await (const piece of bytes) yield decoding.write(piece)
  yield decoding.end()
}

/** The beginning of a file, with its first line whole. */
async function readHead(pieces: AsyncGenerator<string>): Promise<string> {
  let head = ''
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
    head += next.value
    if (endOfFirstLine(head) !== -1 || head.length > IMPORT_LIMITS.rowBytes) break
  }
  return head
}

async function* follow(head: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head
  yield* rest
}

async function* readRows(
  records: AsyncGenerator<{ row: number; cells: string[] }>,
  columns: number,
): AsyncGenerator<CsvRow> {
  let count = 0
  for await (const { row, cells: read } of records) {
    const cells = read.map(restoreCell)
    if (isEmpty(cells)) continue
    if ((count += 1) > IMPORT_LIMITS.rows) throw new CsvFault('too_many_rows', row)
    yield { row, ...judgeRow(cells, columns) }
  }
}

function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '')
}
