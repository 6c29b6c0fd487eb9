import { normaliseEmail, validateEmail } from '../accounts/validate-email.ts'
import { readCell } from '../formula-cell.ts'
import { normalisePhone } from '../leads/normalise-phone.ts'

export type Contact = { kind: 'phone' | 'email'; value: string }
export type ContactReading = { ok: true; contact: Contact } | { ok: false; message: string }

/** A phone number or an e-mail address in the form of ingest, so that both match on the suppression list. */
export function readContact(text: string): ContactReading {
  if (text.includes('@')) {
    const value = normaliseEmail(text)
    return validateEmail(value).length === 0
      ? { ok: true, contact: { kind: 'email', value } }
      : { ok: false, message: 'Is not a valid e-mail address' }
  }
  const reading = normalisePhone(text)
  return reading.ok
    ? { ok: true, contact: { kind: 'phone', value: reading.phone } }
    : { ok: false, message: reading.reason }
}

/**
 * Splits pasted text into values: lines, and the cells of a spreadsheet within them. Lines count from 1; empty cells
 * are left out.
 */
export function cutContacts(text: string): { line: number; value: string }[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .flatMap((cells, index) =>
      cells
        .split(/[,;\t]/)
        .map((cell) => readCell(unquote(cell.trim())).trim())
        .filter((value) => value !== '')
        .map((value) => ({ line: index + 1, value })),
    )
}

function unquote(cell: string): string {
  const [, quoted] = /^"(.*)"$/.exec(cell) ?? []
  return quoted === undefined ? cell : quoted.replaceAll('""', '"')
}
