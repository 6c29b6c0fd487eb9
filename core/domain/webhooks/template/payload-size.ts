import type { PayloadType } from '#core/contract/webhooks/webhook-config.ts'
import type { JsonNode } from './json-tree.ts'

/**
 * Limit of a payload in bytes (docs/contract.md §5): several times the payload of a template with every field of the
 * longest lead once. While one payload is made, signed and logged, all other leads wait.
 */
export const LARGEST_PAYLOAD = 256 * 1024

/** Its message says so in words for the client. `advice` says what the client can do. */
export class PayloadTooLargeError extends Error {
  override readonly name = 'PayloadTooLargeError'
  readonly advice: string
  constructor(message: string, advice: string) {
    super(message)
    this.advice = advice
  }
}

/**
 * Adds up the characters that the formats of one payload read. Each format may take as long for a value of 5,000
 * characters as for a whole payload, even if the last one shortens the value to a single word.
 * @returns `note` throws PayloadTooLargeError beyond `most` characters; `count` is their number
 */
export function countFormatted(most: number): { note: (characters: number) => void; count: () => number } {
  let read = 0
  return {
    note: (characters) => {
      read += characters
      if (read > most) {
        throw new PayloadTooLargeError(
          `The formats of the payload would read more than ${most.toLocaleString('en-US')} characters.`,
          'Use fewer formats on long values in Payload Template.',
        )
      }
    },
    count: () => read,
  }
}

/**
 * Adds up the size of a filled template without writing it: text with many quotation marks takes longer to write than
 * to count.
 * @throws PayloadTooLargeError as soon as it is longer than `largest` bytes
 */
export function refuseLargePayload(node: JsonNode, payloadType: PayloadType, largest: number): void {
  let left = largest
  const take = (bytes: number): void => {
    left -= bytes
    if (left >= 0) return
    throw new PayloadTooLargeError(
      `The payload would be longer than ${largest.toLocaleString('en-US')} bytes.`,
      'Use fewer placeholders in Payload Template, or shorter names.',
    )
  }
  const takeJson = (at: JsonNode): void => {
    if (at.kind === 'string') take(jsonBytes(at.value, left))
    else if (at.kind === 'literal') take(at.text.length)
    else {
      const parts = at.kind === 'array' ? at.items.length : at.members.length
      take(2 + Math.max(0, parts - 1))
      if (at.kind === 'array') for (const item of at.items) takeJson(item)
      else
        for (const { key, value } of at.members) {
          take(jsonBytes(key, left) + 1)
          takeJson(value)
        }
    }
  }
  /** @param name bytes of the names around it, which each of its values repeats */
  const takeForm = (at: JsonNode, name: number, isInside: boolean): void => {
    if (at.kind === 'array') for (const item of at.items) takeForm(item, name, isInside)
    else if (at.kind === 'object')
      for (const { key, value } of at.members)
        takeForm(value, name + (isInside ? 1 : 0) + formBytes(key, left), true)
    else {
      const text = at.kind === 'string' ? at.value : at.text === 'null' ? '' : at.text
      take(name + 2 + formBytes(text, left))
    }
  }
  if (payloadType === 'JSON') takeJson(node)
  else {
    // The first pair has no `&` before it.
    left += 1
    takeForm(node, 0, false)
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Backspace, tab, line feed, form feed, carriage return: two characters each (RFC 8259 §7). */
const SHORT_ESCAPES = new Set([8, 9, 10, 12, 13])

/** UTF-8 bytes of a text as JSON, with its quotation marks; beyond `enough` the exact number no longer matters. */
function jsonBytes(text: string, enough: number): number {
  let bytes = 2
  for (let at = 0; at < text.length && bytes <= enough; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x20) bytes += SHORT_ESCAPES.has(unit) ? 2 : 6
    else if (unit === QUOTE || unit === BACKSLASH) bytes += 2
    else bytes += utf8Bytes(unit)
  }
  return bytes
}

/** Bytes in a form (WHATWG URL §5.2): three for each byte except letters, digits, spaces and `*-._`. */
function formBytes(text: string, enough: number): number {
  let bytes = 0
  for (let at = 0; at < text.length && bytes <= enough; at += 1) {
    const unit = text.charCodeAt(at)
    bytes += isOpenInForm(unit) ? 1 : 3 * utf8Bytes(unit)
  }
  return bytes
}

function isOpenInForm(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x20 ||
    unit === 0x2a ||
    unit === 0x2d ||
    unit === 0x2e ||
    unit === 0x5f
  )
}

/** Each half of a surrogate pair counts as two of its four bytes; a half alone is refused in templates and leads. */
function utf8Bytes(unit: number): number {
  if (unit < 0x80) return 1
  return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
}
