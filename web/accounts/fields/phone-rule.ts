/** What was typed or pasted, without spaces, brackets, dots and dashes. */
export function normalisePhone(phone: string) {
  return phone.replaceAll(/[\s().-]/g, '')
}

/** E.164: a plus sign, the country code, 15 digits at most. */
export function phoneRule(phone: string) {
  return (
    /^\+[1-9]\d{6,14}$/.test(normalisePhone(phone)) ||
    'Type the number with its country code, like +1 555 010 0143'
  )
}

/** Enough to tell one's phones apart by. */
export function phoneEnding(phone: string) {
  return `ends in ${phone.slice(-2)}`
}
