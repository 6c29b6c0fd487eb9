/**
 * JSON without loss: numbers keep their text, objects keep the order of their members (JSON.parse moves integer-like
 * keys to the front and rounds numbers). Payload templates pass through this from the browser to the request.
 */
export type JsonNode =
  | { kind: 'object'; members: JsonMember[] }
  | { kind: 'array'; items: JsonNode[] }
  | { kind: 'string'; value: string }
  /** a number, true, false or null, as written */
  | { kind: 'literal'; text: string }

export interface JsonMember {
  key: string
  value: JsonNode
}

/** The place where a text stops being JSON (RFC 8259); `offset` counts UTF-16 units from 0. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

const MAX_DEPTH = 64
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
// Control characters must be escaped in JSON strings (RFC 8259 §7).
// Plain runs and escapes alternate, so that the engine remembers one step for a run, not one for each character.
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y
const SPACE = /[ \t\n\r]*/y

interface Cursor {
  readonly text: string
  at: number
}

/**
 * Parses one JSON text.
 * @throws JsonSyntaxError with a sentence for people and the offset of the fault; also beyond 64 levels
 */
export function parseJsonTree(text: string): JsonNode {
  const cursor: Cursor = { text, at: 0 }
  const node = readValue(cursor, 0)
  endOfText(cursor)
  return node
}

/** Writes compact JSON, or JSON indented by `indent` spaces a level. Numbers and order stay as they were read. */
export function writeJsonTree(node: JsonNode, indent = 0, level = 0): string {
  if (node.kind === 'string') return JSON.stringify(node.value)
  if (node.kind === 'literal') return node.text
  const parts =
    node.kind === 'array'
      ? node.items.map((item) => writeJsonTree(item, indent, level + 1))
      : node.members.map(
          ({ key, value }) =>
            `${JSON.stringify(key)}:${indent > 0 ? ' ' : ''}${writeJsonTree(value, indent, level + 1)}`,
        )
  const [open, close] = node.kind === 'array' ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return `${open}${close}`
  if (indent === 0) return `${open}${parts.join(',')}${close}`
  const inner = ' '.repeat(indent * (level + 1))
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${' '.repeat(indent * level)}${close}`
}

/**
 * The text of one top-level member of an object, exactly as written (the last one if a key repeats, as with
 * JSON.parse); undefined if there is none or the text is not an object.
 * @throws JsonSyntaxError if the text is not JSON
 */
export function readMember(objectText: string, key: string): string | undefined {
  const cursor: Cursor = { text: objectText, at: 0 }
  skipSpace(cursor)
  let found: string | undefined
  if (objectText[cursor.at] === '{') {
    readMembers(cursor, 0, (member, start, end) => {
      if (member.key === key) found = objectText.slice(start, end)
    })
  } else {
    readValue(cursor, 0)
  }
  endOfText(cursor)
  return found
}

/**
 * The texts of the elements of an array, exactly as written.
 * @throws JsonSyntaxError if the text is no JSON array
 */
export function readElements(arrayText: string): string[] {
  const cursor: Cursor = { text: arrayText, at: 0 }
  skipSpace(cursor)
  if (arrayText[cursor.at] !== '[') throw fault(cursor, 'An array is expected')
  const texts: string[] = []
  readItems(cursor, 0, (start, end) => texts.push(arrayText.slice(start, end)))
  endOfText(cursor)
  return texts
}

function readValue(cursor: Cursor, depth: number): JsonNode {
  skipSpace(cursor)
  const first = cursor.text[cursor.at]
  if (first === undefined) throw fault(cursor, 'The JSON ends too early')
  if (depth >= MAX_DEPTH && (first === '{' || first === '[')) {
    throw fault(cursor, `The JSON is nested deeper than ${MAX_DEPTH} levels`)
  }
  if (first === '{') return { kind: 'object', members: readMembers(cursor, depth) }
  if (first === '[') return { kind: 'array', items: readItems(cursor, depth) }
  if (first === '"') return { kind: 'string', value: readString(cursor) }
  LITERAL.lastIndex = cursor.at
  const literal = LITERAL.exec(cursor.text)?.[0]
  if (literal === undefined) throw fault(cursor, `Unexpected character ${JSON.stringify(first)}`)
  cursor.at += literal.length
  return { kind: 'literal', text: literal }
}

function readMembers(
  cursor: Cursor,
  depth: number,
  visit?: (member: JsonMember, start: number, end: number) => void,
): JsonMember[] {
  const members: JsonMember[] = []
  cursor.at += 1
  skipSpace(cursor)
  if (take(cursor, '}')) return members
  for (;;) {
    skipSpace(cursor)
    if (cursor.text[cursor.at] !== '"') throw fault(cursor, 'A member name in double quotes is expected')
    const key = readString(cursor)
    skipSpace(cursor)
    if (!take(cursor, ':')) throw fault(cursor, 'A colon is expected after a member name')
    skipSpace(cursor)
    const start = cursor.at
    const member = { key, value: readValue(cursor, depth + 1) }
    visit?.(member, start, cursor.at)
    members.push(member)
    skipSpace(cursor)
    if (take(cursor, '}')) return members
    if (!take(cursor, ',')) throw fault(cursor, 'A comma or a closing brace is expected')
  }
}

function readItems(cursor: Cursor, depth: number, visit?: (start: number, end: number) => void): JsonNode[] {
  const items: JsonNode[] = []
  cursor.at += 1
  skipSpace(cursor)
  if (take(cursor, ']')) return items
  for (;;) {
    skipSpace(cursor)
    const start = cursor.at
    items.push(readValue(cursor, depth + 1))
    visit?.(start, cursor.at)
    skipSpace(cursor)
    if (take(cursor, ']')) return items
    if (!take(cursor, ',')) throw fault(cursor, 'A comma or a closing bracket is expected')
  }
}

function readString(cursor: Cursor): string {
  STRING.lastIndex = cursor.at
  const text = STRING.exec(cursor.text)?.[0]
  if (text === undefined) throw fault(cursor, 'A string is not closed, or holds a line break or a bad escape')
  cursor.at += text.length
  return JSON.parse(text) as string
}

function endOfText(cursor: Cursor): void {
  skipSpace(cursor)
  if (cursor.at < cursor.text.length) throw fault(cursor, 'Unexpected text after the end of the JSON')
}

function skipSpace(cursor: Cursor): void {
  SPACE.lastIndex = cursor.at
  cursor.at += SPACE.exec(cursor.text)?.[0].length ?? 0
}

function take(cursor: Cursor, character: string): boolean {
  if (cursor.text[cursor.at] !== character) return false
  cursor.at += 1
  return true
}

function fault(cursor: Cursor, message: string): JsonSyntaxError {
  return new JsonSyntaxError(message, cursor.at)
}
