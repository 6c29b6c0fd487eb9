/**
 * Invisible characters: white space, Unicode's default-ignorable ones (U+200B, U+FEFF, U+3164, …), control characters,
 * the Braille blank.
 */
const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\uFFF9-\uFFFB]$/u
/**
 * Invisible characters that change the visible one before them: joiners, variation selectors, and the tags that spell a
 * flag.
 */
const MODIFIER = /^(?:\u200C|\u200D|\p{Variation_Selector}|[\u{E0020}-\u{E007F}])$/u

/**
 * A text for people, without invisible characters at its edges. A modifier after a visible character stays, so that
 * emoji and flags stay whole. The inside does not change.
 */
export function trimText(text: string): string {
  const [start, end] = findVisible(text)
  let kept = end
  for (let next = at(text, kept); next !== '' && MODIFIER.test(next); next = at(text, kept))
    kept += next.length
  return start === end ? '' : text.slice(start, kept)
}

/** A text for programs, such as an address or a code, without invisible characters at its edges. */
export function trimCode(text: string): string {
  return text.slice(...findVisible(text))
}

/**
 * The begin and end of the visible part. It is a loop, because a pattern would take quadratic time on long runs of
 * spaces.
 */
function findVisible(text: string): [number, number] {
  let start = 0
  while (start < text.length && !isPlain(text, start)) {
    const first = at(text, start)
    if (!INVISIBLE.test(first)) break
    start += first.length
  }
  let end = text.length
  while (end > start && !isPlain(text, end - 1)) {
    const last = before(text, end)
    if (!INVISIBLE.test(last)) break
    end -= last.length
  }
  return [start, end]
}

/** Most texts begin and end with a visible ASCII character. */
function isPlain(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code > 0x20 && code < 0x7f
}

function at(text: string, index: number): string {
  const code = text.codePointAt(index)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function before(text: string, index: number): string {
  const pair = text.slice(Math.max(0, index - 2), index)
  return pair.length === 2 && pair.isWellFormed() && at(pair, 0).length === 2
    ? pair
    : text.slice(index - 1, index)
}
