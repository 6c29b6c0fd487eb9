/**
 * Policy of the tests that are not about it: sign-up signs in at once, administrators need no second factor, many people
 * come from one address, and a password costs 2 ms instead of 100.
 */
export const OPEN_ACCOUNTS = {
  AUTH_EMAIL_AUTOCONFIRM: '1',
  AUTH_ADMIN_MFA: '0',
  AUTH_PASSWORD_MEMORY_KIB: '1024',
  AUTH_RATE_OTP: '100000',
  AUTH_RATE_TOKEN: '100000',
  AUTH_RATE_VERIFY: '100000',
  AUTH_RATE_SSO: '100000',
  AUTH_RATE_ANONYMOUS: '100000',
  AUTH_RATE_MFA: '100000',
  AUTH_RATE_EVENTS: '100000',
  AUTH_RATE_MAIL: '100000',
  AUTH_RATE_SMS: '100000',
}
