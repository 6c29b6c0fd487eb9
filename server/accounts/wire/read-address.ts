import { normaliseEmail, validateEmail } from '#core/domain/accounts/validate-email.ts'
import { validationFailed } from './auth-error.ts'

/**
 * An e-mail address as it is stored.
 * @throws AuthError validation_failed, with the wire's text for every broken rule
 */
export function readEmail(given: string): string {
  const email = normaliseEmail(given)
  if (validateEmail(email).length > 0)
    throw validationFailed('Unable to validate email address: invalid format')
  return email
}

/** A phone as it is stored: E.164 without the plus sign. @throws AuthError validation_failed */
export function readPhone(given: string): string {
  const phone = given.replaceAll(' ', '').replace(/^\+/, '')
  if (!/^[1-9]\d{4,14}$/.test(phone)) throw validationFailed('Invalid phone number format (E.164 required)')
  return phone
}
