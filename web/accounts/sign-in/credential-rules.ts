import { EMAIL_WORDS, normaliseEmail, validateEmail } from '#core/domain/accounts/validate-email.ts'
import { PASSWORD_WORDS, validatePassword } from '#core/domain/accounts/validate-password.ts'

export interface Credentials {
  email: string
  password: string
}

/** docs/product.md §5, every rule that is broken, in its order, one a line. */
export function emailRule(email: string) {
  return linesOrTrue(validateEmail(normaliseEmail(email)).map((fault) => EMAIL_WORDS[fault]))
}

export function newPasswordRule(password: string) {
  return linesOrTrue(validatePassword(password).map((fault) => PASSWORD_WORDS[fault]))
}

function linesOrTrue(messages: string[]) {
  return messages.length === 0 || messages.join('\n')
}
