import { CsvFault } from '#core/csv/csv-fault.ts'
import { openCsv } from '#core/csv/open-csv.ts'

type Chosen = Parameters<typeof openCsv>[1]

/** Reads a whole file as the worker does; a failure is returned as its fault. */
export async function readAll(pieces: Iterable<Uint8Array>, chosen: Chosen = {}) {
  try {
    const csv = await openCsv(comeSingly(pieces), chosen)
    const rows = await Array.fromAsync(csv.rows)
    const { columns, delimiter, header, head, found } = csv
    const { encoding, suggested } = found()
    return { columns, delimiter, header, head, encoding, suggested, rows }
  } catch (error) {
    if (error instanceof CsvFault) return { failed: error.code, row: error.row }
    throw error
  }
}

async function* comeSingly(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces
}

const read = async (text: string | Buffer, chosen: Chosen = {}) => await readAll([Buffer.from(text)], chosen)

/** Returns the cells of each row, or the fault. */
export async function readCells(text: string | Buffer, chosen: Chosen = {}) {
  const { rows, failed } = await read(text, chosen)
  return rows?.map(({ cells, fault }) => fault ?? cells) ?? failed
}

/** Encodes UTF-16 in either byte order; Node.js itself writes only little-endian. */
export function encodeUtf16(text: string, end: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(text, 'utf16le')
  return end === 'le' ? bytes : bytes.swap16()
}
