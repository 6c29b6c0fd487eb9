import type { KeyObject, X509Certificate } from 'node:crypto'

/** Certificates that an endpoint shows, its own among them; of public authorities it is two to four. */
export const LONGEST_CHAIN = 10
/**
 * Bytes of them all; usual ones have two to ten thousand. Each name of one is compared with each name that its issuers exclude, in time by the
 * square of what there is room for (RFC 5280 §4.2.1.10).
 */
export const LARGEST_CHAIN = 32 * 1024
/** Bits of an RSA key: what an endpoint proves itself by, and what we prove ourselves by. */
const LONGEST_TO_VERIFY = 8192
const LONGEST_TO_SIGN = 4096
/** What every authority uses; a signature takes as long to verify as this has bits (RFC 8017 §8.2.2). */
const USUAL_EXPONENT = 65_537n

/**
 * Whether it takes so long to verify what somebody signed with this key that everybody else's deliveries notice: one thread makes all
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

/** The same of what we sign with it ourselves. */
export function isSlowToSign(key: KeyObject): boolean {
  return isSlowToVerify(key) || (key.asymmetricKeyDetails?.modulusLength ?? 0) > LONGEST_TO_SIGN
}

/** Whether a chain is so long or so large, or has such keys. @param leaf the endpoint's own certificate, as its handshake left it */
export function isSlowChain(leaf: X509Certificate | undefined): boolean {
  let [length, bytes] = [0, 0]
  for (let one = leaf; one !== undefined; one = one.issuerCertificate) {
    length += 1
    bytes += one.raw.length
    if (length > LONGEST_CHAIN || bytes > LARGEST_CHAIN || hasSlowKey(one)) return true
  }
  return false
}

/** A key that cannot be read took whatever it took. */
function hasSlowKey(certificate: X509Certificate): boolean {
  try {
    return isSlowToVerify(certificate.publicKey)
  } catch {
    return true
  }
}
