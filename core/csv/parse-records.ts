import { Readable, pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { IMPORT_LIMITS, type Delimiter } from '#core/contract/leads/lead-import.ts'
import { CsvFault } from './csv-fault.ts'

/**
 * The records of CSV (RFC 4180), one after the other, each with its number from 1; empty lines are none, but count. A quotation mark where none belongs
 * is a character like any other, so that nothing is lost.
 * @throws CsvFault row_too_long, quote_not_closed
 */
export async function* parseRecords(
  pieces: AsyncIterable<string>,
  delimiter: Delimiter,
): AsyncGenerator<{ row: number; cells: string[] }> {
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    // A record for each would take minutes of a file that is full of them, and hold up the worker meanwhile.
    skip_empty_lines: true,
    info: true,
    max_record_size: IMPORT_LIMITS.rowBytes,
  })
  // Its failure is met by whoever reads.
  pipeline(Readable.from(pieces), parser, () => undefined)
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>)
      yield { row: countRows(info), cells: record }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // Those before it may not have been taken yet.
    const faulty = Number(error['records']) + Number(error['empty_lines']) + 1
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw new CsvFault('row_too_long', faulty)
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') throw new CsvFault('quote_not_closed', faulty)
    throw error
  } finally {
    parser.destroy()
  }
}

interface Parsed {
  record: string[]
  /** of what was read up to this record, itself included */
  info: { records: number; empty_lines: number }
}

function countRows({ records, empty_lines: emptyLines }: Parsed['info']): number {
  return records + emptyLines
}
