import { z } from 'zod'
import { accountIdSchema } from '../../accounts/account.ts'
import { clientSchema } from '../../accounts/named-client.ts'
import { whenLeftOut } from '../../when-left-out.ts'
import { reasonSchema } from '../../admin-note.ts'
import { moneySchema } from './money.ts'

/** Days in which a pending adjustment can be confirmed (docs/product.md §9). */
export const ADJUSTMENT_DAYS = 7

/** `expired`: nobody decided it in time. */
export const ADJUSTMENT_STATES = ['pending', 'confirmed', 'declined', 'expired'] as const

/** `pay_out`: the client gets the money. */
const ADJUSTMENT_KINDS = ['adjustment', 'pay_out'] as const
export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number]

const personSchema = z.object({ user_id: accountIdSchema, email: z.string(), name: z.string().nullable() })

/** An adjustment that moves nothing until another administrator confirms it. */
export const pendingAdjustmentSchema = z.object({
  id: z.uuid(),
  client: clientSchema,
  kind: whenLeftOut(z.enum(ADJUSTMENT_KINDS), 'adjustment'),
  /** signed: money off the balance is negative */
  amount: moneySchema,
  note: z.string(),
  status: z.enum(ADJUSTMENT_STATES),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  /** null for an account that no longer exists */
  asked_by: personSchema.nullable(),
  decided_by: personSchema.nullable(),
  decided_at: z.iso.datetime().nullable(),
  decision_note: z.string().nullable(),
  /** whether the caller may confirm it; `with_factor` after proving the second factor again; null if it is decided */
  confirmable: z.enum(['yes', 'with_factor', 'no']).nullable(),
})
export type PendingAdjustment = z.infer<typeof pendingAdjustmentSchema>

/** Filter of `GET /api/v1/admin/pending-adjustments`. */
export const adjustmentFilterSchema = z.object({ status: z.enum(ADJUSTMENT_STATES).optional() })

/** Body of confirm and decline. */
export const adjustmentDecisionSchema = z.strictObject({ note: reasonSchema('Note is required') })
