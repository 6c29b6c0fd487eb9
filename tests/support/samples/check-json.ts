import { z } from 'zod'
import {
  leadIngestSchema,
  acceptedReceiptSchema,
  batchReceiptSchema,
  duplicateReceiptSchema,
  rejectedLeadSchema,
} from '#core/contract/leads/lead-ingest.ts'
import { feedDaySchema, feedSchema } from '#core/contract/leads/feed.ts'
import { CLIENT_EVENTS } from '#core/contract/events.ts'
import { ownLeadSchema } from '#core/contract/leads/lead.ts'
import { problemSchema } from '#core/contract/problem.ts'
import { conditionsSchema } from '#core/contract/webhooks/conditions.ts'
import { sendingHoursSchema } from '#core/contract/webhooks/sending-hours.ts'
import { EVENT_DATA, EVENT_FRAME } from '#core/contract/webhooks/events/event-data.ts'
import { newSuccessRuleSchema } from '#core/contract/webhooks/answer-rules.ts'
import { deliveryLogSchema, endpointTestResultSchema } from '#core/contract/webhooks/delivery.ts'
import {
  DEFAULT_PAYLOAD_TEMPLATE,
  endpointTestSchema,
  newWebhookConfigSchema,
  previewSchema,
  signingSecretSchema,
  webhookConfigChangeSchema,
  webhookConfigSchema,
  webhookLimitSchema,
} from '#core/contract/webhooks/webhook-config.ts'

const names = Object.keys(DEFAULT_PAYLOAD_TEMPLATE)

/** The body of each event beside the lead in its default template, by the event's type. */
function bodiesOfEvents(): Record<string, z.ZodType> {
  const { event, event_id, occurred_at } = EVENT_FRAME.shape
  return Object.fromEntries(
    CLIENT_EVENTS.map((type) => [
      type,
      z.strictObject({ event, event_id, occurred_at, ...EVENT_DATA[type].shape }),
    ]),
  )
}

/** The schemas that a JSON example of the documentation can name. */
export const JSON_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  'access-token': z.object({ access_token: z.string(), refresh_token: z.string(), expires_in: z.int() }),
  accepted: acceptedReceiptSchema,
  batch: batchReceiptSchema,
  conditions: conditionsSchema,
  'delivery-logs': z.object({
    data: z.array(deliveryLogSchema.partial()),
    next_cursor: z.string().nullable(),
  }),
  duplicate: duplicateReceiptSchema,
  ...bodiesOfEvents(),
  'endpoint-test': endpointTestSchema,
  'endpoint-test-result': endpointTestResultSchema,
  feed: feedSchema,
  'feed-day': feedDaySchema,
  lead: leadIngestSchema.strict(),
  object: z.record(z.string(), z.unknown()),
  /** the default template's payload */
  payload: z.strictObject(Object.fromEntries(names.map((name) => [name, z.string().nullable()]))),
  preview: previewSchema,
  problem: problemSchema,
  rejected: rejectedLeadSchema,
  'sending-hours': sendingHoursSchema,
  'signing-secret': signingSecretSchema,
  'success-rule': newSuccessRuleSchema,
  template: newWebhookConfigSchema.shape.payload_template,
  'webhook-change': webhookConfigChangeSchema,
  'test-lead': ownLeadSchema.partial(),
  'new-webhook': newWebhookConfigSchema.strict(),
  webhook: webhookConfigSchema.partial(),
  'webhook-limit': webhookLimitSchema,
}

/** Returns the fault of a JSON example; undefined if there is none. */
export function checkJson(name: string | undefined, text: string): string | undefined {
  if (name === undefined) return 'a JSON example must say of which schema it is: schema=NAME'
  const schema = JSON_SCHEMAS[name]
  if (schema === undefined) return `there is no schema "${name}"`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `is no JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? undefined : `is no ${name}: ${z.prettifyError(parsed.error)}`
}
