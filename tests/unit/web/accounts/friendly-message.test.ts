import { expect, it } from 'vitest'
import { friendlyAuthMessage } from '#web/session/sign-in/friendly-message.ts'

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
  expect(friendlyAuthMessage(message)).toBe(shown)
})
