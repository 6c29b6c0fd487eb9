import { countCharacters, validatePassword } from '#core/domain/accounts/validate-password.ts'

export interface PasswordCheck {
  text: string
  isMet: boolean
}

/** The password rules of docs/product.md §5, each with whether the password meets it. */
export function checkPassword(password: string): PasswordCheck[] {
  const broken = validatePassword(password)
  return [
    { text: '8 to 128 characters', isMet: !broken.includes('too_short') && !broken.includes('too_long') },
    {
      text: 'A lowercase and an uppercase letter, a number, and a special character',
      isMet: !broken.includes('missing_character_class'),
    },
    {
      text: 'No repeats like aaa, no sequences like 1234 or qwerty, no words like password or admin',
      isMet: password !== '' && !broken.includes('weak_pattern'),
    },
  ]
}

export const STRENGTHS = ['Too weak', 'Fair', 'Good', 'Strong'] as const
export type Strength = (typeof STRENGTHS)[number]

/** Rates how hard a password is to guess: too weak while it breaks a rule, then by length and variety. */
export function rateStrength(password: string): Strength {
  if (validatePassword(password).length > 0) return 'Too weak'
  const length = countCharacters(password)
  const variety = new Set(password).size
  if (length >= 16 && variety >= 12) return 'Strong'
  return length >= 12 && variety >= 9 ? 'Good' : 'Fair'
}
