import { validationFailed } from './auth-error.ts'

/** A phone in E.164 as the tables keep it: digits alone. @throws AuthError validation_failed for anything else */
export function readPhone(text: string): string {
  const digits = text.replace(/^\+/, '').replaceAll(' ', '')
  // The shortest international numbers in use have seven digits; the tables take five.
  if (!/^[1-9]\d{4,14}$/.test(digits)) throw validationFailed('Invalid phone number format (E.164 required)')
  return digits
}
