/** Removes spaces, brackets, dots and dashes from a typed or pasted number. */
export function normalisePhone(phone: string) {
  return phone.replaceAll(/[\s().-]/g, '')
}

/** E.164: a plus sign, the country code, at most 15 digits. */
export function phoneRule(phone: string) {
  return (
    /^\+[1-9]\d{6,14}$/.test(normalisePhone(phone)) ||
    'Type the number with its country code, like +1 555 010 0143'
  )
}

/** The last digits, enough to tell the owner's phones apart. */
export function phoneEnding(phone: string) {
  return `ends in ${phone.slice(-2)}`
}
