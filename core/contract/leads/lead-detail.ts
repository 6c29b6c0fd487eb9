import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { timelineEventSchema } from '../events.ts'
import { lateLeadSchema } from '../market/late-lead.ts'
import { leadReturnSchema, returnableSchema } from '../market/lead-return.ts'
import { deliveryLogSchema } from '../webhooks/delivery.ts'
import { DETAIL_FIELDS, mapByKind } from './lead-fields.ts'
import { leadOutcomeSchema } from './lead-outcome.ts'
import { whenLeftOut } from '../when-left-out.ts'
import { ownRevocationSchema } from './revocation.ts'
import { leadSummarySchema } from './lead.ts'

const text = z.string().nullable()

/**
 * `GET /api/v1/leads/:id`: the whole lead, with its timeline and every attempt to deliver it (newest first, at most
 * 50).
 */
export const leadDetailSchema = leadSummarySchema.extend({
  user_id: accountIdSchema.nullable(),
  assigned_to: accountIdSchema.nullable(),
  ...mapByKind(
    DETAIL_FIELDS,
    { amount: z.number().nullable(), whole: z.int().nullable(), yes_no: z.boolean().nullable() },
    text,
  ),
  /** when the certificate ends: the time that the lead's source gave, or its usual end; null without a certificate */
  trustedform_expires_at: text,
  custom: z.record(z.string(), z.unknown()),
  notes: text,
  /** the caller's request to give it back; null if there is none */
  return: leadReturnSchema.nullable(),
  /** null for everybody who does not hold it */
  returnable: returnableSchema.nullable(),
  /** what the client's CRM reported, newest first, at most 50; empty for everybody who does not hold the lead */
  outcomes: whenLeftOut(z.array(leadOutcomeSchema), []),
  /** the person revoked consent: do not contact them; null if the caller's account was not told so */
  revocation: whenLeftOut(ownRevocationSchema.nullable(), null),
  /** its way to each holder that took longer than promised, with the credit; of the caller alone */
  late: whenLeftOut(z.array(lateLeadSchema), []),
  timeline: z.array(timelineEventSchema),
  /**
   * when any part of a request was first sent to an endpoint, in any attempt; null before that, and if the first
   * attempts are no longer stored
   */
  first_sent_at: text,
  /**
   * when the last accepting webhook got the lead, by the first success of each; null before that, and if the first
   * attempts are no longer stored
   */
  delivered_at: text,
  deliveries: z.array(deliveryLogSchema.extend({ webhook_name: z.string().nullable() })),
})
export type LeadDetail = z.infer<typeof leadDetailSchema>
