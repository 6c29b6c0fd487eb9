import { readNumber } from './written-number.ts'

/** A position in a text that JSON.parse has accepted: the text is JSON and is not validated again. */
interface Cursor {
  readonly text: string
  at: number
}

/**
 * Parses valid JSON without the two losses of JSON.parse. A number whose digits a double does not keep becomes a
 * WrittenNumber. A member that is given twice becomes a list of all its values. It takes about three times as long.
 * @param json a text that JSON.parse accepts
 */
export function parseAsWritten(json: string): unknown {
  return readValue({ text: json, at: 0 })
}

function readValue(cursor: Cursor): unknown {
  skipSpace(cursor)
  const code = cursor.text.charCodeAt(cursor.at)
  if (code === QUOTE) return readString(cursor)
  if (code === OPEN_BRACE) return readObject(cursor)
  if (code === OPEN_BRACKET) return readList(cursor)
  const from = cursor.at
  while (cursor.at < cursor.text.length && !ENDS_LITERAL.has(cursor.text.charCodeAt(cursor.at)))
    cursor.at += 1
  const literal = cursor.text.slice(from, cursor.at)
  return LITERALS.has(literal) ? LITERALS.get(literal) : readNumber(literal)
}

function readObject(cursor: Cursor): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  const again = new Map<string, unknown[]>()
  cursor.at += 1
  skipSpace(cursor)
  while (cursor.text.charCodeAt(cursor.at) !== CLOSE_BRACE) {
    const name = readString(cursor)
    skipSpace(cursor)
    cursor.at += 1
    const value = readValue(cursor)
    const values = again.get(name)
    if (values !== undefined) values.push(value)
    else if (Object.hasOwn(members, name)) {
      again.set(name, [members[name], value])
      setMember(members, name, again.get(name))
    } else setMember(members, name, value)
    skipSeparator(cursor)
  }
  cursor.at += 1
  return members
}

/** Defines a member as JSON.parse does, without calling a setter of the prototype. */
function setMember(members: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true })
  else members[name] = value
}

function readList(cursor: Cursor): unknown[] {
  const items: unknown[] = []
  cursor.at += 1
  skipSpace(cursor)
  while (cursor.text.charCodeAt(cursor.at) !== CLOSE_BRACKET) {
    items.push(readValue(cursor))
    skipSeparator(cursor)
  }
  cursor.at += 1
  return items
}

function readString(cursor: Cursor): string {
  const from = cursor.at
  let hasEscape = false
  for (cursor.at += 1; cursor.text.charCodeAt(cursor.at) !== QUOTE; cursor.at += 1) {
    if (cursor.text.charCodeAt(cursor.at) !== BACKSLASH) continue
    hasEscape = true
    cursor.at += 1
  }
  cursor.at += 1
  return hasEscape
    ? (JSON.parse(cursor.text.slice(from, cursor.at)) as string)
    : cursor.text.slice(from + 1, cursor.at - 1)
}

function skipSeparator(cursor: Cursor): void {
  skipSpace(cursor)
  if (cursor.text.charCodeAt(cursor.at) !== COMMA) return
  cursor.at += 1
  skipSpace(cursor)
}

function skipSpace(cursor: Cursor): void {
  while (SPACE.has(cursor.text.charCodeAt(cursor.at))) cursor.at += 1
}

/** Number of members of the objects in a value, at all levels together. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members = Object.values(value)
  let count = Array.isArray(value) ? 0 : members.length
  for (const member of members) if (typeof member === 'object') count += countMembers(member)
  return count
}

const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
const ENDS_LITERAL: ReadonlySet<number> = new Set([...SPACE, COMMA, CLOSE_BRACE, CLOSE_BRACKET])
