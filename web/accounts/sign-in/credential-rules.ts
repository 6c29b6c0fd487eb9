import { EMAIL_WORDS, normaliseEmail, validateEmail } from '#core/domain/accounts/validate-email.ts'
import { PASSWORD_WORDS, validatePassword } from '#core/domain/accounts/validate-password.ts'

export interface Credentials {
  email: string
  password: string
}

/** Returns the first broken rule of docs/product.md §5, in its order. */
export function emailRule(email: string) {
  return firstOrTrue(validateEmail(normaliseEmail(email)).map((fault) => EMAIL_WORDS[fault]))
}

export function newPasswordRule(password: string) {
  return firstOrTrue(validatePassword(password).map((fault) => PASSWORD_WORDS[fault]))
}

function firstOrTrue([first]: string[]) {
  return first ?? true
}
