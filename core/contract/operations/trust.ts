import { z } from 'zod'
import { signingKeySchema } from '../webhooks/webhook-config.ts'

/** Grows when a member changes its meaning; members that programs do not know may come at any time. */
export const TRUST_FORMAT = 1

/** An address from which requests to endpoints come, from this day on (00:00 UTC). */
export const egressAddressSchema = z.object({ address: z.string(), from: z.iso.date() })

/**
 * `GET /.well-known/leadwire.json`: what a receiver can check by itself. `egress.is_announced`: requests come from no
 * other address than these. `keys_url` has the public keys of the webhook whose id replaces `{webhook_id}`.
 */
export const trustSchema = z.object({
  format: z.literal(TRUST_FORMAT),
  version: z.string(),
  urls: z.object({
    site: z.string(),
    api: z.string(),
    api_description: z.string(),
    documentation: z.string(),
    status: z.string(),
  }),
  signatures: z.object({
    scheme: z.literal('standard-webhooks'),
    versions: z.array(z.enum(['v1', 'v1a'])),
    keys_url: z.string(),
    keys: z.array(z.object({ id: z.uuid(), since: z.string(), ends_at: z.string().nullable() })),
    tolerance_seconds: z.int(),
  }),
  egress: z.object({ is_announced: z.boolean(), addresses: z.array(egressAddressSchema) }),
  limits: z.object({
    payload_bytes: z.int(),
    timeout_ms: z.int(),
    attempts: z.int(),
    requests_at_a_time: z.int(),
    outcome_bytes: z.int(),
    outcome_days: z.int(),
    posted_leads_per_minute: z.int(),
    batch_leads: z.int(),
  }),
})
export type Trust = z.infer<typeof trustSchema>

/** `GET /.well-known/leadwire/keys/:id`: the public keys of a webhook, newest first. */
export const webhookKeysSchema = z.object({ webhook_id: z.uuid(), keys: z.array(signingKeySchema) })
