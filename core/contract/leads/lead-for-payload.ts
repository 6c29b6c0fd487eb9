import { z } from 'zod'
import { mapByKind, PAYLOAD_FIELDS } from './lead-fields.ts'

const time = z.union([z.string(), z.date()])

/**
 * The columns of a lead that a payload can hold. Money is decimal text, times are Dates or ISO text, dates
 * `YYYY-MM-DD`.
 */
export const leadForPayloadSchema = z.object({
  ...mapByKind(
    PAYLOAD_FIELDS,
    { whole: z.number().nullable(), yes_no: z.boolean().nullable(), moment: time.nullable() },
    z.string().nullable(),
  ),
  id: z.string(),
  status: z.string(),
  is_test: z.boolean(),
  lead_type: z.string(),
  deal_size: z.string(),
  custom: z.record(z.string(), z.unknown()),
  price_charged: z.string().nullable(),
  order_id: z.string().nullable(),
  /** the order that bought it; null if its source named the client */
  order_name: z.string().nullable(),
  created_at: time,
  assigned_at: time.nullable(),
})
export type LeadForPayload = z.infer<typeof leadForPayloadSchema>
