import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
/** Standard Webhooks, 'Signature scheme': 24 to 64 random bytes. */
const SECRET_BYTES = 32

/** A fresh signing secret: `whsec_` and base64. */
export function createSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * The `webhook-signature` header of Standard Webhooks: `v1,<base64 HMAC-SHA256>` over `id.timestamp.body`, one for each
 * secret, separated by spaces. So a receiver can verify with either secret while the old and the new one are both
 * valid.
 * @param timestamp whole seconds since the epoch
 * @param body exactly the bytes that are sent
 */
export function signPayload(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
}
