import { DOTS } from '../mask-credentials.ts'
import { mayHaveEscapes, readEscapes } from './read-escapes.ts'

/**
 * Characters by which a secret is found. A search for more of them may be made to compare nearly all of them at each place of the
 * text: thirty headers of 4,096 letters took a worker's one thread a second, for each delivery.
 */
const HEAD = 64
/** Characters that may be compared for each of the text's, and for any text: usual ones need a part of one. */
const MOST_COMPARED = 8
const LEAST_COMPARED = 256 * 1024

/** Secrets that begin alike, in the order of their characters. */
interface Alike {
  head: string
  secrets: readonly string[]
  /** so far apart at least stand two places at which the head is found */
  period: number
}

/** A character that some encoder writes in another way; but not the space behind a scheme: the token is a secret by itself. */
const ESCAPABLE = /[^\w.~ -]|^(?!\w+ \S{8,}$).* /
/** How often escapes are undone: JSON within JSON, or an address within an address. */
const DEPTH = 2
/** What undoing the escapes of a text takes at most, in searches for one secret. */
const READING = 8

/**
 * Finds secrets in a text, also where it writes their characters as JSON, addresses or HTML do (`\/`, `%2F`, `&#x2F;`), or writes
 * what is so written once more (`%252F`): every place at which one of them stands, and what goes on like one of them for its first 64 characters and is cut off then. It takes time by
 * the length of the text and the number of secrets; of a text that is made to take longer every line is hidden whole.
 * @param secrets none of them empty
 * @returns the text with dots in their place
 */
export function createHider(secrets: readonly string[]): (text: string) => string {
  const find = createSearch(secrets)
  const isEscapable = secrets.some((secret) => ESCAPABLE.test(secret))
  return (text) => {
    let isHidden: Uint8Array | undefined
    const mark = (from: number, end: number): void => {
      isHidden ??= new Uint8Array(text.length)
      isHidden.fill(1, from, end)
    }
    let isSearched = find(text, mark)
    let placeOf = (at: number): number => at
    let read = isEscapable ? readEscapes(text) : undefined
    for (let depth = 1; isSearched && read !== undefined; depth += 1) {
      const [{ readable, places }, before] = [read, placeOf]
      placeOf = (at) => before(places[at] ?? 0)
      isSearched = find(readable, (from, end) => mark(placeOf(from), placeOf(end)))
      read = depth < DEPTH ? readEscapes(readable) : undefined
    }
    if (!isSearched) return text.replaceAll(/.+/g, DOTS)
    return isHidden === undefined ? text : writeDots(text, isHidden)
  }
}

/** How often this text is gone through at most, to find these in it. */
export function countSearches(secrets: readonly string[], text: string): number {
  const isRead = mayHaveEscapes(text) && secrets.some((secret) => ESCAPABLE.test(secret))
  return isRead ? (1 + DEPTH) * secrets.length + DEPTH * READING : secrets.length
}

/** Tells `mark` each place; false once that is made to take too long. */
function createSearch(
  secrets: readonly string[],
): (text: string, mark: (from: number, end: number) => void) => boolean {
  const inOrder = [...new Set(secrets)].toSorted()
  const groups = [...Map.groupBy(inOrder, (secret) => secret.slice(0, HEAD))].map(([head, alike]): Alike => ({
    head,
    secrets: alike,
    period: periodOf(head),
  }))
  return (text, mark) => {
    let left = LEAST_COMPARED + MOST_COMPARED * text.length
    for (const { head, secrets: alike, period } of groups) {
      for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, at + period)) {
        const end = endOfLikeness(text, at, alike)
        mark(at, end)
        left -= end - at
        if (left < 0) return false
      }
    }
    return true
  }
}

/** How far a text that begins at this place as all of the secrets do goes on like one of them. */
function endOfLikeness(text: string, at: number, inOrder: readonly string[]): number {
  let [first, last] = [0, inOrder.length - 1]
  for (let length = Math.min(HEAD, inOrder[0]?.length ?? 0); ; length += 1) {
    const next = text.charCodeAt(at + length)
    // Those that end here come before those that go on.
    while (first <= last && codeAt(inOrder, first, length) !== next) first += 1
    while (first <= last && codeAt(inOrder, last, length) !== next) last -= 1
    if (first > last) return at + length
  }
}

/** NaN past the end, which is no character. */
function codeAt(secrets: readonly string[], index: number, at: number): number {
  return secrets[index]?.charCodeAt(at) ?? Number.NaN
}

/** The least number of characters by which a text can be moved along itself and still be the same where both are (Knuth, Morris, Pratt). */
function periodOf(text: string): number {
  const border = [0]
  for (let at = 1, length = 0; at < text.length; at += 1) {
    while (length > 0 && text[at] !== text[length]) length = border[length - 1] ?? 0
    if (text[at] === text[length]) length += 1
    border.push(length)
  }
  return Math.max(1, text.length - (border.at(-1) ?? 0))
}

function writeDots(text: string, isHidden: Uint8Array): string {
  let written = ''
  let from = isHidden.indexOf(1)
  let shown = 0
  while (from !== -1) {
    written += text.slice(shown, from) + DOTS
    shown = endOfHidden(isHidden, from)
    from = isHidden.indexOf(1, shown)
  }
  return written + text.slice(shown)
}

function endOfHidden(isHidden: Uint8Array, from: number): number {
  const end = isHidden.indexOf(0, from)
  return end === -1 ? isHidden.length : end
}
