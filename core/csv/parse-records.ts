import { IMPORT_LIMITS, type Delimiter } from '#core/contract/imports/lead-import.ts'
import { CsvFault } from './csv-fault.ts'

/** A record of a file, with its number as a spreadsheet counts: from 1, empty records included. */
export interface CsvRecord {
  row: number
  cells: string[]
}

/** Splits text that comes in pieces into records, wherever it is cut. */
export interface RecordParser {
  /** @throws CsvFault row_too_long, too_many_columns */
  read: (piece: string) => Generator<CsvRecord>
  /** The remaining records, once the text has ended. @throws CsvFault quote_not_closed, row_too_long, too_many_columns */
  end: () => Generator<CsvRecord>
}

const [QUOTE, LF, CR] = [0x22, 0x0a, 0x0d]

/**
 * The parser's place in a cell: only spaces so far; in an unquoted text; inside a quotation; right after a mark that
 * may have ended the quotation; or in spaces after that mark.
 */
type Place = 'blank' | 'plain' | 'quoted' | 'closed' | 'padded'

/**
 * Parses the records of CSV (RFC 4180). Spaces around a quotation are ignored. A quotation mark in a wrong place is an
 * ordinary character, so that nothing is lost. Records of empty cells are passed over, but counted.
 */
export function createRecordParser(delimiter: Delimiter): RecordParser {
  const separator = delimiter.charCodeAt(0)
  let row = 1
  let cells: string[] = []
  let hasText = false
  let place: Place = 'blank'
  /** the part of the cell that came in earlier pieces, and the number of the record's characters in them */
  let held = ''
  let heldLength = 0
  let isAfterReturn = false

  function checkLength(length: number): void {
    if (length > IMPORT_LIMITS.rowBytes) throw new CsvFault('row_too_long', row)
  }

  function endCell(rest: string): void {
    const raw = held + rest
    const isQuotation = place === 'closed' || place === 'padded'
    const cell = isQuotation ? raw.trim().slice(1, -1).replaceAll('""', '"') : raw
    if (cells.length === IMPORT_LIMITS.columns) throw new CsvFault('too_many_columns', row)
    cells.push(cell)
    hasText ||= cell.trim() !== ''
    held = ''
    place = 'blank'
  }

  function endRecord(): CsvRecord | undefined {
    const record = hasText ? { row, cells } : undefined
    row += 1
    cells = []
    hasText = false
    heldLength = 0
    return record
  }

  function* read(piece: string): Generator<CsvRecord> {
    // Offsets in this piece at which the record and the cell begin.
    let recordFrom = 0
    let from = 0
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at)
      const isSecondHalf = isAfterReturn && code === LF
      isAfterReturn = false
      if (isSecondHalf) {
        recordFrom = from = at + 1
      } else if (place === 'quoted') {
        const end = code === QUOTE ? at : piece.indexOf('"', at)
        if (end === -1) break
        at = end
        place = 'closed'
      } else if (code === separator || code === LF || code === CR) {
        checkLength(heldLength + at - recordFrom)
        endCell(piece.slice(from, at))
        from = at + 1
        if (code === separator) continue
        const record = endRecord()
        if (record !== undefined) yield record
        isAfterReturn = code === CR
        recordFrom = from
      } else if (place !== 'plain') {
        place = follow(place, code)
      }
    }
    held += piece.slice(from)
    heldLength += piece.length - recordFrom
    checkLength(heldLength)
  }

  function* end(): Generator<CsvRecord> {
    if (place === 'quoted') throw new CsvFault('quote_not_closed', row)
    if (held === '' && cells.length === 0) return
    endCell('')
    const record = endRecord()
    if (record !== undefined) yield record
  }

  return { read, end }
}

/** The state of a cell after a character that ends neither it nor a quotation. */
function follow(place: Exclude<Place, 'quoted' | 'plain'>, code: number): Place {
  if (code === QUOTE && place !== 'padded') return 'quoted'
  if (!isBlank(code)) return 'plain'
  return place === 'closed' ? 'padded' : place
}

/**
 * Characters that programs write around a quotation, those that `trim` removes: spaces of all widths, and the byte
 * order mark.
 */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || (code >= 0xa0 && /\s/.test(String.fromCharCode(code)))
}
