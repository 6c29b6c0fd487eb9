import { expect, it } from 'vitest'
import { friendlyAuthMessage } from '#web/session/credentials/friendly-message.ts'

it.each([
  ['Invalid login credentials', 'Invalid email or password'],
  ['AuthApiError: INVALID LOGIN CREDENTIALS', 'Invalid email or password'],
  ['Email not confirmed', 'Please check your email and confirm your account'],
  ['Too many requests: wait 60 seconds', 'Too many attempts. Please try again later'],
  ['Network error', 'Connection error. Please try again'],
  ['User already registered', 'An account with this email already exists'],
  ['signup_disabled', 'An error occurred. Please try again or contact support if the problem persists'],
  ['', 'An error occurred. Please try again or contact support if the problem persists'],
])('shows for %j: %s (docs/product.md §8)', (message, shown) => {
  expect(friendlyAuthMessage({ message })).toBe(shown)
})

it.each([
  ['invalid_credentials', 'Invalid email or password'],
  ['email_not_confirmed', 'Please check your email and confirm your account'],
  ['over_request_rate_limit', 'Too many attempts. Please try again later'],
  ['over_email_send_rate_limit', 'Too many attempts. Please try again later'],
  ['user_already_exists', 'An account with this email already exists'],
  ['unexpected', 'An error occurred. Please try again or contact support if the problem persists'],
  ['constructor', 'An error occurred. Please try again or contact support if the problem persists'],
])('uses the code %s before the message', (code, shown) => {
  expect(friendlyAuthMessage({ code, message: 'In other words' })).toBe(shown)
})
