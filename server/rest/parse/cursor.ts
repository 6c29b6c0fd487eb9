import { unparsable, type RestError } from '../rest-error.ts'

/** A place in a text that is parsed, and how its faults are named. */
export interface Cursor {
  readonly text: string
  readonly what: string
  at: number
}

export function openCursor(what: string, text: string): Cursor {
  return { text, what, at: 0 }
}

export function fail(cursor: Cursor, expected: string): RestError {
  const { text, what, at } = cursor
  const found = at >= text.length ? 'end of input' : JSON.stringify(text.charAt(at))
  return unparsable(what, text, at, `unexpected ${found} expecting ${expected}`)
}

export function isAtEnd({ text, at }: Cursor): boolean {
  return at >= text.length
}

/** Steps over these characters if they are next. */
export function take(cursor: Cursor, characters: string): boolean {
  if (!cursor.text.startsWith(characters, cursor.at)) return false
  cursor.at += characters.length
  return true
}

/** @throws RestError unless these characters are next */
export function require(cursor: Cursor, characters: string): void {
  if (!take(cursor, characters)) throw fail(cursor, JSON.stringify(characters))
}

export function skipSpaces(cursor: Cursor): void {
  while (cursor.text[cursor.at] === ' ') cursor.at += 1
}

const NAME = /[\p{L}\p{N}_$](?:[\p{L}\p{N}_$ ]|-(?!>))*/uy

/**
 * A name: letters, digits, `_`, `$`, inner spaces and hyphens, or anything between double quotes.
 * @throws RestError if there is none
 */
export function readName(cursor: Cursor): string {
  skipSpaces(cursor)
  if (cursor.text[cursor.at] === '"') return readQuoted(cursor)
  NAME.lastIndex = cursor.at
  const [name] = NAME.exec(cursor.text) ?? []
  if (name === undefined) throw fail(cursor, 'field name (* or [a..z0..9_$])')
  cursor.at += name.length
  return name.trimEnd()
}

/** A text in double quotes; a backslash takes the next character as it is. */
export function readQuoted(cursor: Cursor): string {
  const { text } = cursor
  let value = ''
  for (let at = cursor.at + 1; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '"') {
      cursor.at = at + 1
      return value
    }
    if (character === '\\') at += 1
    value += character === '\\' ? text.charAt(at) : character
  }
  cursor.at = text.length
  throw fail(cursor, '"\\""')
}
