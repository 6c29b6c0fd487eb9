import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Seconds for which a signed request is valid: an older one, or one from further in the future, may be a
 * replay.
 */
const TOLERANCE_SECONDS = 300

/**
 * Whether the payment provider signed these bytes just now: `t=<seconds>,v1=<hex>`, HMAC-SHA256 over
 * `t.body`. While a secret is being replaced there are several `v1`; other schemes are ignored.
 * @param body exactly as it came
 * @param now seconds since the epoch
 */
export function verifySignature(
  header: string | undefined,
  body: Buffer,
  { secret, now }: { secret: string; now: number },
): boolean {
  const parts = (header ?? '').split(',').map((part) => part.trim().split('=', 2))
  const [, time = ''] = parts.find(([name]) => name === 't') ?? []
  if (!/^\d{1,12}$/.test(time) || Math.abs(now - Number(time)) > TOLERANCE_SECONDS) return false
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest()
  // All are compared, so that the duration reveals nothing.
  return parts
    .filter(([name]) => name === 'v1')
    .map(([, value = '']) => Buffer.from(value, 'hex'))
    .map((given) => given.length === expected.length && timingSafeEqual(given, expected))
    .includes(true)
}
