import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PurposeKeys } from './derived-keys.ts'

/** The claims of an address to which the CRM behind a webhook posts the outcome of a lead. */
export interface OutcomeToken {
  lead_id: string
  client_user_id: string
  webhook_config_id: string
  expires_at: Date
}

/** Days for which an address works (docs/product.md §4). */
export const OUTCOME_DAYS = 90
const DAY_MS = 24 * 3600 * 1000

/** By this beginning the delivery log finds and masks tokens (core/domain/webhooks/answer/mask-outcome-tokens.ts). */
const PREFIX = 'lw_outcome_'
const [ID, EXPIRES, SIGNATURE] = [16, 4, 32]
const SIGNED = 3 * ID + EXPIRES

/** The end of an address that is sent at this moment. */
export function outcomeExpiry(sentAt: Date): Date {
  return new Date(sentAt.getTime() + OUTCOME_DAYS * DAY_MS)
}

/** When an address with this end was sent, to the second. */
export function outcomeSentAt({ expires_at }: Pick<OutcomeToken, 'expires_at'>): Date {
  return new Date(expires_at.getTime() - OUTCOME_DAYS * DAY_MS)
}

/** Makes the token: lead, client, webhook and end in whole seconds, with HMAC-SHA256 over them. */
export function signOutcome(keys: PurposeKeys, token: OutcomeToken): string {
  const said = Buffer.alloc(SIGNED)
  for (const [place, id] of [token.lead_id, token.client_user_id, token.webhook_config_id].entries())
    said.write(id.replaceAll('-', ''), place * ID, 'hex')
  said.writeUInt32BE(Math.floor(token.expires_at.getTime() / 1000), 3 * ID)
  return PREFIX + Buffer.concat([said, sign(keys.current, said)]).toString('base64url')
}

/** Reads a token that was signed here and has not ended; undefined for any other text. */
export function readOutcome(keys: PurposeKeys, token: string, now: Date): OutcomeToken | undefined {
  if (!token.startsWith(PREFIX)) return undefined
  const text = token.slice(PREFIX.length)
  const bytes = Buffer.from(text, 'base64url')
  // Buffer.from ignores characters that are no base64url; each token has one form only.
  if (bytes.length !== SIGNED + SIGNATURE || bytes.toString('base64url') !== text) return undefined
  const said = bytes.subarray(0, SIGNED)
  if (!keys.all.some((key) => timingSafeEqual(bytes.subarray(SIGNED), sign(key, said)))) return undefined
  const expires_at = new Date(said.readUInt32BE(3 * ID) * 1000)
  if (expires_at <= now) return undefined
  return {
    lead_id: readId(said, 0),
    client_user_id: readId(said, 1),
    webhook_config_id: readId(said, 2),
    expires_at,
  }
}

function readId(said: Buffer, place: number): string {
  const hex = said.toString('hex', place * ID, (place + 1) * ID)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function sign(key: Buffer, said: Buffer): Buffer {
  return createHmac('sha256', key).update(said).digest()
}
