/** The fields of a lead that identify a person. */
export interface Person {
  name: string | null
  last_name?: string | null
  email: string | null
  phone: string | null
  alt_phone?: string | null
}

/** Digits of a US phone number without its country code. */
const PHONE_DIGITS = 10

/**
 * Whether a text contains the name, the last name, the e-mail address or a phone of a person, however they are written.
 */
export function namesPerson(text: string, { name, last_name, email, phone, alt_phone }: Person): boolean {
  const said = spell(text)
  const saidDigits = digitsOf(text)
  const words = [name, last_name, email].map((value) => spell(value ?? ''))
  const phones = [phone, alt_phone].map((value) => digitsOf(value ?? '').slice(-PHONE_DIGITS))
  return (
    words.some((value) => value.trim() !== '' && said.includes(value)) ||
    phones.some((value) => value.length === PHONE_DIGITS && saidDigits.includes(value))
  )
}

/** Whole words between spaces, without accents and in one case. */
function spell(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return ` ${plain.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `
}

function digitsOf(text: string): string {
  return text.normalize('NFKD').replaceAll(/\D/g, '')
}
