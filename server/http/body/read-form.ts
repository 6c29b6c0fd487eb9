import { isUtf8 } from 'node:buffer'
import { AppError } from '#core/errors.ts'

/**
 * Replaces bytes that are no UTF-8: half of a surrogate pair, which core/domain/refuse-text.ts refuses at its
 * field.
 */
const HALF = '\udcff'

/** The forms of all our calls hold far fewer. */
export const MOST_FIELDS = 1000

/**
 * The fields of a form or of a query string (WHATWG URL §5.1), from flat names to text. A repeated name keeps
 * both values, so that the schema can refuse it.
 * @throws AppError malformed_body for more than 1,000 fields
 */
export function readForm(form: Buffer): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>()
  const pairs = form.toString('latin1').split('&', MOST_FIELDS + 1)
  if (pairs.length > MOST_FIELDS)
    throw new AppError('malformed_body', `It has more than ${MOST_FIELDS.toLocaleString('en-US')} fields.`)
  for (const pair of pairs) {
    if (pair === '') continue
    const [, name = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(pair) ?? []
    add(fields, decode(name), decode(value))
  }
  return Object.fromEntries(fields)
}

function add(fields: Map<string, string | string[]>, name: string, value: string): void {
  const earlier = fields.get(name)
  if (Array.isArray(earlier)) earlier.push(value)
  else fields.set(name, earlier === undefined ? value : [earlier, value])
}

/** @param part its bytes, one in each character */
function decode(part: string): string {
  const bytes = part
    .replaceAll('+', ' ')
    .replaceAll(/%([\da-f]{2})/gi, (_escape, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
  const text = Buffer.from(bytes, 'latin1')
  return isUtf8(text) ? text.toString() : text.toString().replaceAll('\ufffd', HALF)
}
