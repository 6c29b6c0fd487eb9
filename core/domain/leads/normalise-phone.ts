import { parsePhoneNumberFromString } from 'libphonenumber-js'

/** E.164, or the reason in words that the sender understands. */
export type PhoneReading = { ok: true; phone: string } | { ok: false; reason: string }

const TOLL_FREE = new Set(['800', '833', '844', '855', '866', '877', '888'])
/** E.164 with at least seven digits: what is shorter is a service of one network. */
const CALLABLE = /^\+[1-9]\d{6,14}$/
const NOT_A_NUMBER = 'Is not a valid phone number'

/**
 * Reads a phone number as people write it; without a `+` it is taken as one of the North American plan. Fictional numbers
 * (555-01xx) are good: tests and demonstrations use them.
 */
export function normalisePhone(text: string): PhoneReading {
  const number = parsePhoneNumberFromString(text, 'US')
  if (number === undefined || !number.isPossible()) return { ok: false, reason: NOT_A_NUMBER }
  if (number.countryCallingCode !== '1') {
    return number.isValid() && CALLABLE.test(number.number)
      ? { ok: true, phone: number.number }
      : { ok: false, reason: NOT_A_NUMBER }
  }
  const reason = refuseNorthAmerican(number.nationalNumber)
  return reason === undefined ? { ok: true, phone: number.number } : { ok: false, reason }
}

/** The plan's own rules: area code and exchange are [2-9]XX and not N11. */
function refuseNorthAmerican(digits: string): string | undefined {
  const [, area = '', exchange = ''] = /^([2-9]\d\d)([2-9]\d\d)\d{4}$/.exec(digits) ?? []
  if (area === '' || area.endsWith('11') || exchange.endsWith('11')) return NOT_A_NUMBER
  if (/^(\d)\1+$/.test(digits)) return NOT_A_NUMBER
  if (TOLL_FREE.has(area)) return 'Is a toll-free number, which nobody can be called back on'
  return undefined
}
