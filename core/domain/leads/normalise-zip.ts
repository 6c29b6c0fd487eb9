import { stateCode } from './us-states.ts'

/** States, districts and the armed forces whose ZIP codes begin with zeros, with their first three digits (USPS). */
const ZEROS: Readonly<Record<string, RegExp>> = {
  AE: /^09[0-8]/,
  CT: /^06/,
  MA: /^0(?:1|2[0-7]|55)/,
  ME: /^0(?:39|4)/,
  NH: /^03[0-8]/,
  NJ: /^0[78]/,
  NY: /^0(?:05|63)/,
  PR: /^00[679]/,
  RI: /^02[89]/,
  VI: /^008/,
  VT: /^05/,
}

/**
 * Reads `90210` or `90210-1234` from digits with or without a space or dash; a code of a `country` other than the US
 * stays as it is. A spreadsheet's number has lost its leading zeros: they are restored if the state has such codes, or
 * no state was sent.
 * @param state as it was sent
 * @returns undefined if it is no ZIP code
 */
export function normaliseZip(text: string, country: string, state: string | undefined): string | undefined {
  if (country !== 'US') return text
  const digits = restoreZeros(text, state).replaceAll(/[\s\p{Pd}]/gu, '')
  const [, first = '', four] = /^(\d{5})(\d{4})?$/.exec(digits) ?? []
  if (first === '') return undefined
  return four === undefined ? first : `${first}-${four}`
}

/** A spreadsheet's number may end in `.0`. */
function restoreZeros(text: string, state: string | undefined): string {
  const [, short, rest = ''] = /^(\d{3,4})(?:\.0+)?((?:[\s\p{Pd}]+\d{4})?)[\s\p{Pd}]*$/u.exec(text) ?? []
  if (short === undefined) return text.replace(/(?<=^\d+)\.0+$/, '')
  const whole = short.padStart(5, '0')
  const theirs = state === undefined ? Object.values(ZEROS) : [ZEROS[stateCode(state) ?? '']]
  return theirs.some((prefix) => prefix?.test(whole) === true) ? `${whole}${rest}` : text
}
