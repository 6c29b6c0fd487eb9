import { parsePhoneNumberFromString } from 'libphonenumber-js'

/** E.164 and the extension, or the reason in words that the sender understands. */
export type PhoneReading =
  | { ok: true; phone: string; extension?: string | undefined }
  | { ok: false; reason: string }

const TOLL_FREE = new Set(['800', '833', '844', '855', '866', '877', '888'])
/** E.164 with at least seven digits: a shorter number is a service within one network. */
const CALLABLE = /^\+[1-9]\d{6,14}$/
const NOT_A_NUMBER = 'Is not a valid phone number'
const LONGEST = 100

/**
 * One number, perhaps with an extension after it. Words may stand before and after it (`Cell: …`, `… (home)`); a letter
 * that touches a digit means that it is no phone number.
 */
const FORM =
  /^(?:[^\d+]*[^\p{L}\d+])?(?<number>(?:\+ ?\(?)?\d[\d\s()[\]./~\p{Pd}\u2212]*)(?:[\s,;(]*(?:;\s*ext=|(?:e?xt(?:ensi[oó]n|n)?|x|int|anexo|доб)[\s.,:#\p{Pd}]*|[#,]\s*)(?<extension>\d{0,15}))?(?:[^\p{L}\d+][^\d+]*)?$/iu
/** White space that a pattern's `\s` does not match, and the Braille blank, count as spaces too. */
const SPACE = /[\p{White_Space}\u2800]/gu
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\uFFF9-\uFFFB]/gu

/**
 * Reads a phone number as people write it; without a `+` it is taken as one of the North American plan. Fictional
 * numbers (555-01xx) are accepted: tests and demonstrations use them.
 */
export function normalisePhone(text: string): PhoneReading {
  if (text.length > LONGEST) return { ok: false, reason: NOT_A_NUMBER }
  const { number, extension } = FORM.exec(simplify(text))?.groups ?? {}
  if (number === undefined) return { ok: false, reason: NOT_A_NUMBER }
  const reading = readNumber(number)
  return reading.ok && extension !== undefined && extension !== '' ? { ...reading, extension } : reading
}

/**
 * Digits of any script and width become ASCII, and invisible characters are removed. A spreadsheet's number may end in
 * `.0`.
 */
function simplify(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(SPACE, ' ')
    .replaceAll(INVISIBLE, '')
    .replaceAll(/(?!\d)\p{Nd}/gu, toAscii)
    .trim()
    .replace(/(?<=^\+?\d+)\.0+$/, '')
}

/** The digits of a script follow each other in Unicode, from its zero on. */
function toAscii(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}

function readNumber(number: string): PhoneReading {
  const digits = number.replaceAll(/[^\d+]/g, '')
  const [, national] = /^(?:(?:\+|011)?1)?(\d{10})$/.exec(digits) ?? []
  if (national !== undefined) {
    const reason = refuseNorthAmerican(national)
    return reason === undefined ? { ok: true, phone: `+1${national}` } : { ok: false, reason }
  }
  const foreign = /^(?:\+|011)/.test(digits) ? parsePhoneNumberFromString(number, 'US') : undefined
  return foreign !== undefined &&
    foreign.countryCallingCode !== '1' &&
    foreign.isValid() &&
    CALLABLE.test(foreign.number)
    ? { ok: true, phone: foreign.number }
    : { ok: false, reason: NOT_A_NUMBER }
}

/** The plan's own rules: area code and exchange are [2-9]XX and not N11. */
function refuseNorthAmerican(digits: string): string | undefined {
  const [, area = '', exchange = ''] = /^([2-9]\d\d)([2-9]\d\d)\d{4}$/.exec(digits) ?? []
  if (area === '' || area.endsWith('11') || exchange.endsWith('11')) return NOT_A_NUMBER
  if (/^(\d)\1+$/.test(digits)) return NOT_A_NUMBER
  if (TOLL_FREE.has(area)) return 'Is a toll-free number, which nobody can be called back on'
  return undefined
}
