import { normaliseCode } from '#web/format/normalise-code.ts'

export function codeRule(code: string) {
  return /^\d{6}$/.test(normaliseCode(code)) || 'Type the six digits'
}

export function recoveryCodeRule(code: string) {
  return /^[0-9a-z]{10}$/i.test(normaliseCode(code)) || 'Type the ten letters and digits'
}
