import { DOTS } from '../mask-credentials.ts'
import { mayHaveEscapes, readEscapes } from './read-escapes.ts'

/**
 * Number of first characters by which a secret is found. With longer ones, a crafted text could make the search compare
 * nearly all of them at each place: thirty headers of 4,096 letters took a worker's one thread a second, for each
 * delivery.
 */
const HEAD = 64
/** Limit of comparisons, for each character of the text and for any text: usual texts need a fraction of one. */
const MOST_COMPARED = 8
const LEAST_COMPARED = 256 * 1024

/** Secrets with a common beginning, in the order of their characters. */
interface Alike {
  head: string
  secrets: readonly string[]
  /** the least distance between two places at which the head is found */
  period: number
}

/**
 * A character that some encoder writes differently; without the space after a scheme, because the token is a secret by
 * itself.
 */
const ESCAPABLE = /[^\w.~ -]|^(?!\w+ \S{8,}$).* /
/** Number of times that escapes are undone: for JSON within JSON, or an address within an address. */
const DEPTH = 2
/** Limit of the cost of undoing a text's escapes, in searches for one secret. */
const READING = 8

/**
 * Finds secrets in a text, also if their characters are escaped as in JSON, addresses or HTML (`\/`, `%2F`, `&#x2F;`),
 * or escaped twice (`%252F`). It finds every place with one of them, and every text that equals one for its first 64
 * characters and is then cut off. The time grows with the length of the text and the number of secrets. If a text is
 * crafted to take longer, every line is hidden whole.
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

/** The number of times that this text is searched at most, to find these secrets. */
export function countSearches(secrets: readonly string[], text: string): number {
  const isRead = mayHaveEscapes(text) && secrets.some((secret) => ESCAPABLE.test(secret))
  return isRead ? (1 + DEPTH) * secrets.length + DEPTH * READING : secrets.length
}

/** Reports each place to `mark`; returns false once the search takes too long. */
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

/** Length of the text, from this place on, that equals one of these secrets, which share their beginning. */
function endOfLikeness(text: string, at: number, inOrder: readonly string[]): number {
  let [first, last] = [0, inOrder.length - 1]
  for (let length = Math.min(HEAD, inOrder[0]?.length ?? 0); ; length += 1) {
    const next = text.charCodeAt(at + length)
    // Secrets that end here come before those that go on.
    while (first <= last && codeAt(inOrder, first, length) !== next) first += 1
    while (first <= last && codeAt(inOrder, last, length) !== next) last -= 1
    if (first > last) return at + length
  }
}

/** NaN past the end, which is no character. */
function codeAt(secrets: readonly string[], index: number, at: number): number {
  return secrets[index]?.charCodeAt(at) ?? Number.NaN
}

/** The period of a text: the least shift at which the text equals itself where both overlap (Knuth, Morris, Pratt). */
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
