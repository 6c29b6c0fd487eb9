import { randomInt } from 'node:crypto'
import { RECOVERY_CODE_LENGTH as LENGTH, RECOVERY_CODES } from '#core/contract/accounts/recovery-codes.ts'
import type { PurposeKeys } from '#core/secrets/derived-keys.ts'
import { macCode, macsOfCode } from '../codes/one-time-code.ts'

/** Crockford's base 32: no letter that looks like a hand-written digit. Ten of them are 50 random bits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const SHAPE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** Draws codes as they are shown, once: `7K2QD-0XWMT`. */
export function mintRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, mintRecoveryCode)
}

function mintRecoveryCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`
}

/** Normalises a typed recovery code; undefined if it is none, such as the six digits of an app. */
export function readRecoveryCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return SHAPE.test(code) ? code : undefined
}

/** @param code as {@link readRecoveryCode} reads it */
export function macRecoveryCode(codeKeys: PurposeKeys, userId: string, code: string): Buffer {
  return macCode(codeKeys, `recovery ${userId}`, code)
}

/** @returns the hashes that this code may have in the table */
export function macsOfRecoveryCode(codeKeys: PurposeKeys, userId: string, code: string): Buffer[] {
  return macsOfCode(codeKeys, `recovery ${userId}`, code)
}
