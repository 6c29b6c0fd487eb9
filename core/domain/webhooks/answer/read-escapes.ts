/**
 * A character that JSON, an address or form, or HTML writes in another way: `\/` and `\u002B`, `%2F` and `%C3%A4`, `&#x2F;` and
 * `&quot;` (RFC 8259 §7; RFC 3986 §2.1; HTML §13.5).
 */
const ESCAPE =
  /\\(?:u[\da-f]{4}|["\\/])|%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f]){1,3}|&(?:#\d{1,4}|#x[\da-f]{1,4}|amp|apos|gt|lt|quot);/gi
const NAMED: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' }

/** A text as it reads once its escapes are undone, and where each of its characters stood; the last place is the end. */
export interface ReadText {
  readable: string
  places: Uint32Array
}

/**
 * Undoes escapes once, of whatever kind: nobody says in what the endpoint wrote. What is no escape stays, and so does one of a
 * control character: no line begins that was none.
 * @returns undefined where the text has no escapes
 */
export function readEscapes(text: string): ReadText | undefined {
  if (!mayHaveEscapes(text)) return undefined
  const places = new Uint32Array(text.length + 1)
  let [length, from] = [0, 0]
  const keepUntil = (to: number): void => {
    while (from < to) places[length++] = from++
  }
  const readable = text.replaceAll(ESCAPE, (escape: string, at: number) => {
    const meant = meaningOf(escape)
    keepUntil(at)
    places.fill(at, length, length + meant.length)
    length += meant.length
    from = at + escape.length
    return meant
  })
  keepUntil(text.length + 1)
  return readable === text ? undefined : { readable, places }
}

/** Cheap: most payloads have none. */
export function mayHaveEscapes(text: string): boolean {
  return /[\\%&]/.test(text)
}

function meaningOf(escape: string): string {
  const meant = readEscape(escape)
  return meant < ' ' ? escape : meant
}

function readEscape(escape: string): string {
  if (escape.startsWith('%')) return readPercent(escape)
  if (escape.startsWith('\\')) return escape.length === 2 ? escape.slice(1) : readCode(escape.slice(2), 16)
  const name = escape.slice(1, -1).toLowerCase()
  if (name.startsWith('#x')) return readCode(name.slice(2), 16)
  return name.startsWith('#') ? readCode(name.slice(1), 10) : (NAMED[name] ?? escape)
}

function readCode(digits: string, base: number): string {
  return String.fromCharCode(Number.parseInt(digits, base))
}

function readPercent(escape: string): string {
  try {
    return decodeURIComponent(escape)
  } catch {
    // Bytes that are no UTF-8.
    return escape
  }
}
