const SHORTEST = 8
const LONGEST = 128

/** A rule that a password breaks, in docs/product.md's order. */
export type PasswordFault = 'too_short' | 'too_long' | 'missing_character_class' | 'weak_pattern'

/** docs/product.md §5, word for word. */
export const PASSWORD_WORDS: Readonly<Record<PasswordFault, string>> = {
  too_short: 'Password must be at least 8 characters',
  too_long: 'Password too long',
  missing_character_class:
    'Password must contain at least one lowercase, uppercase, number, and special character',
  weak_pattern: 'Password contains weak patterns or insufficient complexity',
}

/**
 * The special characters of docs/product.md §5: all printable ASCII punctuation. Neither space nor characters that some
 * keyboards cannot type are among them.
 */
export const SPECIAL_CHARACTERS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

const WEAK_PARTS = ['password', 'admin', 'login', 'user', 'test', '123', '1234', 'abcd', 'qwerty', 'asdf']
const THREE_IN_A_ROW = /(.)\1\1/su
const ONLY_LETTERS_OR_ONLY_DIGITS = /^(?:[a-z]+|\d+)$/i

/**
 * The length of a password in characters: Unicode's code points (NIST SP 800-63B §3.1.1.2), so that an emoji counts
 * once.
 */
export function countCharacters(password: string): number {
  return Array.from(password).length
}

/**
 * Checks a new password by the rules of docs/product.md §5.
 * @returns the rules it breaks, in docs/product.md's order; empty for a good password
 */
export function validatePassword(password: string): PasswordFault[] {
  const faults: PasswordFault[] = []
  const length = countCharacters(password)
  if (length < SHORTEST) faults.push('too_short')
  if (length > LONGEST) faults.push('too_long')
  if (!hasEveryClass(password)) faults.push('missing_character_class')
  if (isWeak(password)) faults.push('weak_pattern')
  return faults
}

function hasEveryClass(password: string): boolean {
  const special = SPECIAL_CHARACTERS.split('').some((character) => password.includes(character))
  return special && /[a-z]/.test(password) && /[A-Z]/.test(password) && /\d/.test(password)
}

function isWeak(password: string): boolean {
  const lowerCase = password.toLowerCase()
  return (
    THREE_IN_A_ROW.test(password) ||
    ONLY_LETTERS_OR_ONLY_DIGITS.test(password) ||
    WEAK_PARTS.some((part) => lowerCase.includes(part))
  )
}
