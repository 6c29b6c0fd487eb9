/** Characters after which a text in single quotes may begin. */
const BEFORE_QUOTE = new Set(['|', ':', ',', '=', '→'])

/**
 * Splits at separators outside single quotes. Quotes count only around a whole part, so an apostrophe in a word is no
 * quote: `map: CA='Golden, isn''t it', TX=Texas`.
 * @param separator one of the characters in {@link BEFORE_QUOTE}
 * @param most limit of parts; the last keeps the rest
 */
export function splitParts(text: string, separator: string, most = Number.POSITIVE_INFINITY): string[] {
  const parts: string[] = []
  let from = 0
  let mayQuote = true
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === "'" && mayQuote) at = endOfQuote(text, at)
    else if (character === separator && parts.length + 1 < most) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
    mayQuote = BEFORE_QUOTE.has(character) || (mayQuote && character.trim() === '')
  }
  return [...parts, text.slice(from)]
}

/** A part without the space around it, and without its quotes; in quotes `''` stands for one quote. */
export function readPart(part: string): string {
  const text = part.trim()
  return /^'(?:[^']|'')*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text
}

/** The position of the closing quote; that of the opening quote if none closes before a separator or the end. */
function endOfQuote(text: string, opens: number): number {
  let at = opens + 1
  while (at < text.length && (text[at] !== "'" || text[at + 1] === "'")) at += text[at] === "'" ? 2 : 1
  return /^'\s*(?:[|:,=→]|$)/.test(text.slice(at, at + 80)) ? at : opens
}
