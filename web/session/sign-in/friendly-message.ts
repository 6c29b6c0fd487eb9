/** docs/product.md §8, matched in this order, by substring, in any case. */
const FRIENDLY: readonly [contains: string, shown: string][] = [
  ['invalid login credentials', 'Invalid email or password'],
  ['email not confirmed', 'Please check your email and confirm your account'],
  ['too many requests', 'Too many attempts. Please try again later'],
  ['network error', 'Connection error. Please try again'],
  ['user already registered', 'An account with this email already exists'],
]
const FALLBACK = 'An error occurred. Please try again or contact support if the problem persists'

export function friendlyAuthMessage(message: string) {
  const lowerCase = message.toLowerCase()
  return FRIENDLY.find(([contains]) => lowerCase.includes(contains))?.[1] ?? FALLBACK
}
