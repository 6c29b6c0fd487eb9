import { z } from 'zod'
import { namedClientSchema } from '../accounts/named-client.ts'
import { reasonSchema } from '../admin-note.ts'
import { moneySchema } from './money/money.ts'

/**
 * The parts of a lead's way from its receipt to the first attempt, in their order. `sale`, `planning` and `sending` are
 * ours; the others are left out:
 *
 * - `not_for_sale`: it was not offered yet, or another client had it before;
 * - `no_order`: no order would take it;
 * - `put_off`: sending hours, a webhook that was off, a pause, or an open circuit breaker;
 * - `own_requests`: as many requests of the client were under way as one client or endpoint gets at a time.
 */
export const LATE_PARTS = [
  'not_for_sale',
  'sale',
  'no_order',
  'planning',
  'put_off',
  'own_requests',
  'sending',
] as const
export type LatePartName = (typeof LATE_PARTS)[number]

export const latePartSchema = z.object({
  part: z.enum(LATE_PARTS),
  /** milliseconds */
  ms: z.int(),
  is_ours: z.boolean(),
})
export type LatePart = z.infer<typeof latePartSchema>

/** `waiting`: for the next day, because the credits of this one are used up; `unclear`: for a person to decide. */
export const LATE_CREDITS = ['none', 'waiting', 'unclear', 'credited'] as const

/** Why a late lead has no credit, or not yet. */
export const LATE_REASONS = [
  'off',
  'no_price',
  'test',
  'returned',
  'account_erased',
  'daily_limit',
  'times_out_of_order',
  'clock_jumped',
  'too_long',
  'dismissed',
] as const
export type LateReason = (typeof LATE_REASONS)[number]

/** A lead whose way to its client took longer than promised, with its stations. */
export const lateLeadSchema = z.object({
  received_at: z.iso.datetime(),
  sold_at: z.iso.datetime(),
  /** when the first delivery was planned */
  planned_at: z.iso.datetime(),
  /** when its first attempt began */
  begun_at: z.iso.datetime(),
  parts: z.array(latePartSchema),
  /** milliseconds of the parts that are ours */
  ours_ms: z.int(),
  credit: z.enum(LATE_CREDITS),
  reason: z.enum(LATE_REASONS).nullable(),
  amount: moneySchema,
  wait_until: z.iso.datetime().nullable(),
  credited_at: z.iso.datetime().nullable(),
})
export type LateLead = z.infer<typeof lateLeadSchema>

/** A late lead whose times cannot be trusted, for an administrator to decide; `id` is that of the assignment. */
export const unclearLeadSchema = lateLeadSchema
  .pick({ received_at: true, sold_at: true, begun_at: true, ours_ms: true, reason: true, amount: true })
  .extend({ id: z.uuid(), lead_id: z.uuid(), client: namedClientSchema })
export type UnclearLead = z.infer<typeof unclearLeadSchema>

/** Body of `POST /api/v1/admin/late-leads/:id/decide`. */
export const lateDecisionSchema = z.strictObject({
  /** whether the price is credited */
  credit: z.boolean({ error: 'Must be true or false' }),
  note: reasonSchema('Say why'),
})
export type LateDecision = z.infer<typeof lateDecisionSchema>
