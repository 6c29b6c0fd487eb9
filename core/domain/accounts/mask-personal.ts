import { givenName } from './given-name.ts'

const EMAIL = /([^\s@"'<>(),;:]+)@([^\s@"'<>(),;:]+\.[a-z]{2,})/gi
/** Texts that look like a phone and are none: ids, moments, days, and amounts. */
const NO_PHONE =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?|-?\d+\.\d+|\d{1,3}(?:\.\d{1,3}){3}/gi
/** Ten to fifteen digits (E.164), with what people write between them. */
const PHONE = /(?<![\w-])\+?\(?\d(?:[\s().-]*\d){9,14}(?![\w-])/g

/** `rosa@example.com` → `r•••@example.com` */
export function maskEmail(email: string): string {
  return email.replaceAll(EMAIL, (_whole, name: string, domain: string) => `${name.slice(0, 1)}•••@${domain}`)
}

/** Masks every e-mail address and phone in a text; a phone keeps its last two digits. */
export function maskText(text: string): string {
  const masked = maskEmail(text)
  const kept = masked.match(NO_PHONE) ?? []
  const between = masked
    .split(NO_PHONE)
    .map((part) => part.replaceAll(PHONE, (phone) => `•••${phone.replaceAll(/\D/g, '').slice(-2)}`))
  return between.map((part, at) => `${part}${kept[at] ?? ''}`).join('')
}

/** The same for every text in a JSON value, at any depth. Numbers and names of members stay. */
export function maskPersonal(value: unknown): unknown {
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) return value.map(maskPersonal)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskPersonal(member)]))
}

/**
 * Names the person of a row of the audit log: the business, the given name, or the masked address. Null for an account
 * that is gone.
 */
export function nameMasked(person: {
  name: string | null
  email: string | null
  business_name: string | null
}): string | null {
  const { email, business_name: business } = person
  const name = business === null || business === '' ? givenName(person) : business
  if (name !== null) return maskText(name)
  return email === null || email === '' ? null : maskEmail(email)
}
