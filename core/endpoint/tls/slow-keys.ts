import type { KeyObject } from 'node:crypto'

/** Limit in bits of an RSA key, for endpoints and for client certificates. */
const LONGEST_TO_VERIFY = 8192
const LONGEST_TO_SIGN = 4096
/** The exponent that every authority uses; the time to verify a signature grows with its bits (RFC 8017 §8.2.2). */
const USUAL_EXPONENT = 65_537n

/**
 * Whether verifying signatures of this key takes so long that other clients' deliveries notice: one thread makes all
 * handshakes.
 */
export function isSlowToVerify({
  asymmetricKeyType: type,
  asymmetricKeyDetails: details,
}: KeyObject): boolean {
  if (type !== 'rsa' && type !== 'rsa-pss') return false
  const { modulusLength = 0, publicExponent = 0n } = details ?? {}
  return modulusLength > LONGEST_TO_VERIFY || publicExponent > USUAL_EXPONENT
}

/** Whether signing with a client certificate's key takes so long that other clients' deliveries notice. */
export function isSlowToSign(key: KeyObject): boolean {
  return isSlowToVerify(key) || (key.asymmetricKeyDetails?.modulusLength ?? 0) > LONGEST_TO_SIGN
}
