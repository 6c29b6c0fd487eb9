/**
 * A character that JSON, an address or form, or HTML writes differently: `\/` and `\u002B`, `%2F` and `%C3%A4` (only
 * UTF-8), `&#x2F;` and `&quot;` (RFC 8259 §7; RFC 3986 §2.1; HTML §13.5).
 */
const ESCAPE =
  /\\(?:u[\da-f]{4}|x[\da-f]{2}|["\\/])|%[0-7][\da-f]|%(?:c[2-9a-f]|d[\da-f])%[89ab][\da-f]|%(?:e0%[ab]|e[1-9a-cef]%[89ab]|ed%[89])[\da-f]%[89ab][\da-f]|%(?:f0%[9ab]|f[1-3]%[89ab]|f4%8)[\da-f](?:%[89ab][\da-f]){2}|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6}\d{0,2});/gi
/** HTML's names of U+00A0 to U+00FF, in their order. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const NAMED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LATIN_1.split(' ').map((name, index) => [name, String.fromCodePoint(0xa0 + index)])),
  amp: '&',
  apos: "'",
  equals: '=',
  euro: '€',
  gt: '>',
  hellip: '…',
  ldquo: '“',
  lsquo: '‘',
  lt: '<',
  mdash: '—',
  nbsp: ' ',
  ndash: '–',
  plus: '+',
  quot: '"',
  rdquo: '”',
  rsquo: '’',
  sol: '/',
}
const LAST_CODE_POINT = 0x10_ff_ff

/** A text with its escapes undone, and the original place of each of its characters; the last place is the end. */
export interface ReadText {
  readable: string
  places: Uint32Array
}

/**
 * Undoes escapes of all kinds once, because it is unknown in which form the endpoint wrote. Other text stays, and so
 * does an escaped control character, so that no new line begins.
 * @returns undefined if the text has no escapes
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
  if (escape.startsWith('%')) return decodeURIComponent(escape)
  if (escape.startsWith('\\')) return escape.length === 2 ? escape.slice(1) : readCode(escape.slice(2), 16)
  const name = escape.slice(1, -1)
  if (/^#x/i.test(name)) return readCode(name.slice(2), 16)
  if (name.startsWith('#')) return readCode(name.slice(1), 10)
  return NAMED[name] ?? NAMED[name.toLowerCase()] ?? escape
}

function readCode(digits: string, base: number): string {
  const code = Number.parseInt(digits, base)
  return code > LAST_CODE_POINT ? '' : String.fromCodePoint(code)
}
