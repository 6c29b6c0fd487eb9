import { z } from 'zod'
import { moneySchema } from '../market/money/money.ts'

/** The kinds of work that may wait for an administrator, in the order of the screens. */
export const NEED_KINDS = [
  'approval',
  'payment',
  'return',
  'endpoint',
  'funds',
  'unsold',
  'message',
  'difference',
  'adjustment',
  'revocation',
  'overdue_revocation',
  'late_credit',
  'late_lead',
] as const
export type NeedKind = (typeof NEED_KINDS)[number]

/** Limit of counted entries of a kind, and of unsold leads. */
export const NEEDS_COUNTED = 1000
export const UNSOLD_COUNTED = 20_000
/** Entries of each kind that are listed, those that have waited longest first. */
export const NEEDS_LISTED = 5

const needSchema = z.object({
  /** the client, payment, return, webhook, message, provider's payment or assignment; for unsold leads the reason */
  id: z.string(),
  /** the client by its business; for unsold leads the reason; for messages the reference */
  name: z.string(),
  /** the reason of a return, the name of a webhook, the topic of a message, the kind of a difference, a note, or why a late lead is unclear */
  detail: z.string().nullable(),
  /** of a payment or an adjustment; the price of a returned or late lead; a balance */
  amount: moneySchema.nullable(),
  /** unsold leads; deliveries that wait at an endpoint */
  leads: z.int().nullable(),
  /** since when it waits */
  at: z.string().nullable(),
})
export type Need = z.infer<typeof needSchema>

const needGroupSchema = z.object({
  kind: z.enum(NEED_KINDS),
  /** entries; for `unsold`, leads */
  count: z.int(),
  /** counting stopped there */
  more: z.boolean(),
  items: z.array(needSchema).max(NEEDS_LISTED),
})

/** `GET /api/v1/admin/needs`: the kinds of which something waits. */
export const needsSchema = z.object({ data: z.array(needGroupSchema) })
export type Needs = z.infer<typeof needsSchema>

/** The same as a page reads it: a server of a later version may send kinds that the page does not know. */
export const readNeedsSchema = z.object({ data: z.array(needGroupSchema.extend({ kind: z.string() })) })
export type ReadNeeds = z.infer<typeof readNeedsSchema>
