const LONGEST = 254
/** The HTML standard's shape of a valid address, and a dot in the domain: an address that mail can reach. */
const FORMAT =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/
const DOTS_OUT_OF_PLACE = /^\.|\.\.|\.@/
const FORBIDDEN = /[\s<>]|javascript:|data:|[^ -~]/

/** Trims and lower-cases, as docs/product.md §5 wants it done before anything else looks at an address. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}

/**
 * The rules of docs/product.md §5 for an address that {@link normaliseEmail} has been through.
 * @returns the messages of the rules it breaks, in docs/product.md's order; empty when the address is good
 */
export function validateEmail(email: string): string[] {
  const messages: string[] = []
  if (!FORMAT.test(email) || DOTS_OUT_OF_PLACE.test(email)) messages.push('Invalid email format')
  if (email.length < 1) messages.push('Email is required')
  if (email.length > LONGEST) messages.push('Email too long')
  if (FORBIDDEN.test(email)) messages.push('Email contains invalid characters')
  return messages
}
