/**
 * Account policy for runs that do not test it: sign-up needs no confirmation, administrators need no second
 * factor, and many people share one address.
 */
const RATE = '100000'
export const OPEN_ACCOUNTS = {
  AUTH_EMAIL_AUTOCONFIRM: '1',
  AUTH_ADMIN_MFA: '0',
  AUTH_RATE_OTP: RATE,
  AUTH_RATE_TOKEN: RATE,
  AUTH_RATE_VERIFY: RATE,
  AUTH_RATE_SSO: RATE,
  AUTH_RATE_ANONYMOUS: RATE,
  AUTH_RATE_MFA: RATE,
  AUTH_RATE_EVENTS: RATE,
  AUTH_RATE_MAIL: RATE,
  AUTH_RATE_SMS: RATE,
}

/** A password costs 2 ms instead of 100; refused in production. */
export const CHEAP_PASSWORDS = { AUTH_PASSWORD_MEMORY_KIB: '1024' }

/** Answers that must take equal time take 20 ms instead of 250; refused in production. */
export const BRIEF_EVEN_TIME = { AUTH_EVEN_MS: '20' }
