import { setImmediate } from 'node:timers/promises'
import { IMPORT_LIMITS, type Delimiter, type Encoding } from '#core/contract/imports/lead-import.ts'
import { readCell } from '#core/domain/formula-cell.ts'
import { judgeRow, type RowFault } from '#core/domain/imports/judge-row.ts'
import { nameColumns } from '#core/domain/imports/name-columns.ts'
import { CsvFault } from './csv-fault.ts'
import { decodeText, type TextDecoding } from './decode-text.ts'
import { findHeader, showRecord } from './find-header.ts'
import { guessDelimiter } from './guess-delimiter.ts'
import { createRecordParser, type CsvRecord } from './parse-records.ts'

/** One row below the header. It has as many cells as there are columns, unless it has a fault. */
export interface CsvRow {
  row: number
  cells: string[]
  fault: RowFault | null
}

/** The settings by which a person wants a file read; omitted settings are detected. */
export interface CsvReading {
  encoding?: Encoding | null | undefined
  delimiter?: Delimiter | null | undefined
  /** the row that names the columns, or an empty one above it */
  header?: number | null | undefined
}

export interface OpenedCsv {
  columns: string[]
  delimiter: Delimiter
  /** the number of the row that names the columns */
  header: number
  /** the first rows that are not empty, one of which is the header */
  head: { row: number; text: string }[]
  /** the encoding, judged by the part that was read so far */
  found: TextDecoding['found']
  /** the rows that are not empty. @throws CsvFault */
  rows: AsyncGenerator<CsvRow>
}

/** Characters of the beginning from which encoding, separator and header are detected. */
const BEGINNING = 65_536

/**
 * Reads CSV as it arrives, holding no more than one row of it.
 * @throws CsvFault
 */
export async function openCsv(bytes: AsyncIterable<Uint8Array>, chosen: CsvReading): Promise<OpenedCsv> {
  const decoding = decodeText(chosen.encoding)
  const pieces = decodeAll(bytes, decoding)
  const beginning = await readBeginning(pieces)
  const guess = guessDelimiter(beginning.slice(0, BEGINNING))
  const delimiter = chosen.delimiter ?? guess.delimiter
  const records = readRecords(follow([beginning.slice(guess.skipped)], pieces), delimiter)
  const first = await takeFirst(records)
  if (first.length === 0) throw new CsvFault('empty')
  const wanted = chosen.header ?? findHeader(first)
  const all = follow(first, records)
  for (let next = await all.next(); next.done !== true; next = await all.next()) {
    const { row: header, cells } = next.value
    if (header < wanted) continue
    const naming = nameColumns(cells)
    if (!naming.ok) {
      await all.return(undefined)
      throw new CsvFault(naming.fault, header)
    }
    const { columns } = naming
    const rows = readRows(all, columns.length)
    return { columns, delimiter, header, head: first.map(showRecord), found: decoding.found, rows }
  }
  throw new CsvFault('no_header_row', wanted)
}

/**
 * Bytes that are read in one turn of the event loop: some milliseconds, even for the shortest rows. Then other work of
 * this process has its turn.
 */
const TURN = 32_768

async function* decodeAll(bytes: AsyncIterable<Uint8Array>, decoding: TextDecoding): AsyncGenerator<string> {
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; at += TURN) {
      yield decoding.write(piece.subarray(at, at + TURN))
      await setImmediate()
    }
  }
  yield decoding.end()
}

async function readBeginning(pieces: AsyncGenerator<string>): Promise<string> {
  let text = ''
  while (text.length < BEGINNING) {
    const next = await pieces.next()
    if (next.done === true) break
    text += next.value
  }
  return text
}

/** Records that are not empty, with each cell as it was before a spreadsheet guarded it. */
async function* readRecords(pieces: AsyncIterable<string>, delimiter: Delimiter): AsyncGenerator<CsvRecord> {
  const parser = createRecordParser(delimiter)
  for await (const piece of pieces) yield* restore(parser.read(piece))
  yield* restore(parser.end())
}

function* restore(records: Iterable<CsvRecord>): Generator<CsvRecord> {
  for (const { row, cells: read } of records) {
    const cells = read.map(readCell)
    if (cells.some((cell) => cell.trim() !== '')) yield { row, cells }
  }
}

async function takeFirst(records: AsyncGenerator<CsvRecord>): Promise<CsvRecord[]> {
  const first: CsvRecord[] = []
  while (first.length < IMPORT_LIMITS.preview) {
    const next = await records.next()
    if (next.done === true) break
    first.push(next.value)
  }
  return first
}

async function* follow<T>(first: Iterable<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield* first
  yield* rest
}

async function* readRows(records: AsyncGenerator<CsvRecord>, columns: number): AsyncGenerator<CsvRow> {
  let count = 0
  for await (const { row, cells } of records) {
    if ((count += 1) > IMPORT_LIMITS.rows) throw new CsvFault('too_many_rows', row)
    yield { row, ...judgeRow(cells, columns) }
  }
}
