import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { timelineEventSchema } from '../events.ts'
import { leadReturnSchema, returnableSchema } from '../market/lead-return.ts'
import { deliveryLogSchema } from '../webhooks/delivery.ts'
import { DETAIL_FIELDS, mapByKind } from './lead-fields.ts'
import { leadSummarySchema } from './lead.ts'

const text = z.string().nullable()

/** `GET /api/v1/leads/:id`: the lead whole, with its timeline and every attempt to deliver it (newest first, at most 50). */
export const leadDetailSchema = leadSummarySchema.extend({
  user_id: accountIdSchema.nullable(),
  assigned_to: accountIdSchema.nullable(),
  ...mapByKind(
    DETAIL_FIELDS,
    { amount: z.number().nullable(), whole: z.int().nullable(), yes_no: z.boolean().nullable() },
    text,
  ),
  /** as its source said, else when such a certificate ends by itself; null without one */
  trustedform_expires_at: text,
  custom: z.record(z.string(), z.unknown()),
  notes: text,
  /** the caller's request to give it back; null without any */
  return: leadReturnSchema.nullable(),
  /** null for whoever does not hold it */
  returnable: returnableSchema.nullable(),
  timeline: z.array(timelineEventSchema),
  /** when some of a request first left for an endpoint, over all attempts; null before, and where the first are no longer kept */
  first_sent_at: text,
  /** when the last of the webhooks that took it had it, each by its first success; null before, and where the first are no longer kept */
  delivered_at: text,
  deliveries: z.array(deliveryLogSchema.extend({ webhook_name: z.string().nullable() })),
})
export type LeadDetail = z.infer<typeof leadDetailSchema>
