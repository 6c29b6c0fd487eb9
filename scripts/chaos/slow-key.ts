import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'

/** The longest modulus for which OpenSSL accepts exponents of more than 64 bits. */
const MODULUS_BITS = 3072
const EXPONENT_BYTES = 363

/**
 * An RSA key with the longest public exponent that OpenSSL accepts: verifying takes a hundred times as long
 * as usual.
 */
export function createSlowKey(): { privateKey: KeyObject; publicKey: KeyObject } {
  const usual = generateKeyPairSync('rsa', { modulusLength: MODULUS_BITS }).privateKey.export({
    format: 'jwk',
  })
  const [p, q] = [readNumber(usual.p), readNumber(usual.q)]
  const order = (p - 1n) * (q - 1n)
  let exponent = BigInt(`0x${randomBytes(EXPONENT_BYTES).toString('hex')}`) | 1n
  let inverse = invert(exponent, order)
  while (inverse === undefined) {
    exponent += 2n
    inverse = invert(exponent, order)
  }
  const privateKey = createPrivateKey({
    key: {
      ...usual,
      e: writeNumber(exponent),
      d: writeNumber(inverse),
      dp: writeNumber(inverse % (p - 1n)),
      dq: writeNumber(inverse % (q - 1n)),
    },
    format: 'jwk',
  })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

function invert(value: bigint, modulus: bigint): bigint | undefined {
  let [before, now] = [modulus, value % modulus]
  let [factorBefore, factor] = [0n, 1n]
  while (now !== 0n) {
    const times = before / now
    ;[before, now] = [now, before - times * now]
    ;[factorBefore, factor] = [factor, factorBefore - times * factor]
  }
  if (before !== 1n) return undefined
  return ((factorBefore % modulus) + modulus) % modulus
}

function readNumber(text = ''): bigint {
  return BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`)
}

function writeNumber(value: bigint): string {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url')
}
