import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

/** RFC 6238 with the values that every authenticator app assumes: SHA-1, six digits, 30 s. */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** RFC 4226 §4 R6 recommends 160 bits. */
const SECRET_BYTES = 20
/** One step to either side: the app's clock may be off, and people type slowly. */
const SKEW_STEPS = 1

/** The data for an authenticator app. */
export interface TotpEnrolment {
  /** base32 */
  secret: string
  /** `otpauth://totp/…` */
  uri: string
  /** the URI as an SVG */
  qr_code: string
}

/** Draws a secret. `issuer` and `account` are what the app shows beside its codes. */
export function mintTotp(issuer: string, account: string): TotpEnrolment {
  const secret = new Secret({ size: SECRET_BYTES })
  // The label's separator must not occur in the names.
  const names = { issuer: issuer.replaceAll(':', ' '), label: account.replaceAll(':', ' ') }
  const uri = new TOTP({ ...SHAPE, ...names, secret }).toString()
  return { secret: secret.base32, uri, qr_code: renderSVG(uri) }
}

/**
 * The time step that a code belongs to, or undefined for a wrong one. Compares in constant time.
 * @param now Unix milliseconds
 */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const totp = new TOTP({ ...SHAPE, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: now, window: SKEW_STEPS })
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta
}
