const LONGEST = 254
/** The HTML standard's pattern of a valid address, with a dot in the domain, so that mail can reach it. */
const FORMAT =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/
const DOTS_OUT_OF_PLACE = /^\.|\.\.|\.@/
const FORBIDDEN = /[\s<>]|javascript:|data:|[^ -~]/

/** A rule that an address breaks. */
export type EmailFault = 'bad_format' | 'empty' | 'too_long' | 'forbidden_characters'

/** docs/product.md §5, word for word. */
export const EMAIL_WORDS: Readonly<Record<EmailFault, string>> = {
  bad_format: 'Invalid email format',
  empty: 'Email is required',
  too_long: 'Email too long',
  forbidden_characters: 'Email contains invalid characters',
}

/** Trims and lower-cases an address, which docs/product.md §5 requires before any other check. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}

/**
 * Checks an address from {@link normaliseEmail} by the rules of docs/product.md §5.
 * @returns the rules it breaks, the most telling first; empty for a good address. An empty address breaks only that
 * rule, and forbidden characters come before the form that they spoil.
 */
export function validateEmail(email: string): EmailFault[] {
  if (email === '') return ['empty']
  const faults: EmailFault[] = []
  if (FORBIDDEN.test(email)) faults.push('forbidden_characters')
  if (!FORMAT.test(email) || DOTS_OUT_OF_PLACE.test(email)) faults.push('bad_format')
  if (email.length > LONGEST) faults.push('too_long')
  return faults
}
