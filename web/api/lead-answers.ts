import { z } from 'zod'
import {
  leadDeliveryCountsSchema,
  leadDetailSchema,
  leadSummarySchema,
  type LeadDeliveryCounts,
  type LeadSummary,
} from '#core/contract/leads/lead.ts'

// While servers are replaced one by one, a page may ask one of the version before, which counts no deliveries and knows no prices.
const earlier = {
  delivery_counts: leadDeliveryCountsSchema.optional(),
  price: leadSummarySchema.shape.price.default(null),
  disposition: leadSummarySchema.shape.disposition.default(null),
}
const withoutEvidence = {
  consent_ip: leadDetailSchema.shape.consent_ip.default(null),
  consent_user_agent: leadDetailSchema.shape.consent_user_agent.default(null),
  trustedform_expires_at: leadDetailSchema.shape.trustedform_expires_at.default(null),
}
const withoutReturns = {
  return: leadDetailSchema.shape.return.default(null),
  returnable: leadDetailSchema.shape.returnable.default(null),
}

const withoutTimes = {
  first_sent_at: leadDetailSchema.shape.first_sent_at.default(null),
  delivered_at: leadDetailSchema.shape.delivered_at.default(null),
}

const listedLeadSchema = leadSummarySchema.extend(earlier).transform(withCounts)

/** An answer of `GET /api/v1/leads`. */
export const leadPageSchema = z.object({
  data: z.array(listedLeadSchema),
  next_cursor: z.string().nullable(),
})

/** An answer of `GET /api/v1/leads/:id`. */
export const shownLeadSchema = leadDetailSchema
  .extend({ ...earlier, ...withoutEvidence, ...withoutReturns, ...withoutTimes })
  .transform(withCounts)

const NONE: LeadDeliveryCounts = {
  delivered: 0,
  failed: 0,
  held: 0,
  retrying: 0,
  waiting: 0,
  cancelled: 0,
  sent: 0,
}

/** As if there were one delivery, of which the one word is true. */
const COUNTED: Readonly<Record<NonNullable<LeadSummary['delivery_status']>, LeadDeliveryCounts>> = {
  delivered: { ...NONE, delivered: 1, sent: 1 },
  failed: { ...NONE, failed: 1, sent: 1 },
  pending: { ...NONE, waiting: 1 },
}

function withCounts<
  Lead extends Pick<LeadSummary, 'delivery_status'> & { delivery_counts?: LeadDeliveryCounts | undefined },
>(lead: Lead): Omit<Lead, 'delivery_counts'> & Pick<LeadSummary, 'delivery_counts'> {
  const { delivery_counts: counts, delivery_status: status } = lead
  return { ...lead, delivery_counts: counts ?? (status === null ? NONE : COUNTED[status]) }
}
