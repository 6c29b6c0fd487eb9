/** The sentences of docs/product.md §8. `contains` is matched in this order, by substring, ignoring case. */
const FRIENDLY = {
  invalid_credentials: {
    contains: 'invalid login credentials',
    shown: 'Invalid email or password',
  },
  email_not_confirmed: {
    contains: 'email not confirmed',
    shown: 'Please check your email and confirm your account',
  },
  too_many_requests: {
    contains: 'too many requests',
    shown: 'Too many attempts. Please try again later',
  },
  network: {
    contains: 'network error',
    shown: 'Connection error. Please try again',
  },
  user_already_exists: {
    contains: 'user already registered',
    shown: 'An account with this email already exists',
  },
} as const
type FriendlyReason = keyof typeof FRIENDLY

const FALLBACK = 'An error occurred. Please try again or contact support if the problem persists'

/** The service's error codes and the sentence of each. */
const REASONS: Readonly<Record<string, FriendlyReason>> = {
  invalid_credentials: 'invalid_credentials',
  email_not_confirmed: 'email_not_confirmed',
  over_request_rate_limit: 'too_many_requests',
  over_email_send_rate_limit: 'too_many_requests',
  over_sms_send_rate_limit: 'too_many_requests',
  user_already_exists: 'user_already_exists',
}

/** Returns the sentence of docs/product.md §8 for a known reason. */
export function friendlyWords(reason: FriendlyReason | 'unknown') {
  return reason === 'unknown' ? FALLBACK : FRIENDLY[reason].shown
}

/** Returns the sentence for an error: by its code, or by its message if the code is unknown. */
export function friendlyAuthMessage({ code = '', message }: { code?: string | undefined; message: string }) {
  const known = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined
  if (known !== undefined) return friendlyWords(known)
  const lowerCase = message.toLowerCase()
  return Object.values(FRIENDLY).find(({ contains }) => lowerCase.includes(contains))?.shown ?? FALLBACK
}
