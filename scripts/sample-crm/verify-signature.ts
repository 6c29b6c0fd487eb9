import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/**
 * Standard Webhooks: an older or a future timestamp is refused, so that a recorded request cannot be played
 * again.
 */
const TOLERANCE_SECONDS = 5 * 60

export type SignatureCheck = 'verified' | 'no secret' | 'missing' | 'too old' | 'wrong'

/**
 * The first step of every receiver of webhooks. Verify the raw bytes as they came: parsing and serialising
 * them again changes spaces, key order and numbers, and no signature would match.
 * @param secrets `whsec_` and base64; several while one is being replaced
 */
export function verifySignature(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secrets: readonly string[],
  now: Date,
): SignatureCheck {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const signatures = headers['webhook-signature']
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    return 'missing'
  if (secrets.length === 0) return 'no secret'
  if (!/^\d{1,12}$/.test(timestamp)) return 'wrong'
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return 'too old'

  const expected = secrets.map((secret) =>
    createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest(),
  )
  // The header has two signatures while the sender rotates its secret; one match is enough.
  const given = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice(3), 'base64'))
  const fits = given.some((one) =>
    expected.some((other) => one.length === other.length && timingSafeEqual(one, other)),
  )
  return fits ? 'verified' : 'wrong'
}
