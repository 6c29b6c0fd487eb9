import { z } from 'zod'
import { trimCode, trimText } from '../trim-invisible.ts'
import { accountIdSchema } from '../accounts/account.ts'

/** Limit of lines in one request, each a phone or an e-mail address. */
export const SUPPRESSION_LINES = 10_000
/** Limit of refused lines that are listed; more would not help to fix a list. */
export const REFUSED_LINES_TOLD = 100

export const SUPPRESSION_REASONS = [
  'opted_out',
  'do_not_contact',
  'complaint',
  'litigator',
  'erased',
  'other',
] as const
export const suppressionReasonSchema = z.enum(SUPPRESSION_REASONS)
export type SuppressionReason = z.infer<typeof suppressionReasonSchema>

/** An entry of the suppression list. It is a keyed hash, from which the person cannot be read. */
export const suppressionSchema = z.object({
  id: z.uuid(),
  kind: z.enum(['phone', 'email']),
  /** the only client whose orders pass the person over; null means everybody's orders do */
  client_user_id: accountIdSchema.nullable(),
  reason: suppressionReasonSchema,
  note: z.string().nullable(),
  /** null if the account of its author is gone */
  created_by: accountIdSchema.nullable(),
  created_at: z.string(),
})
export type Suppression = z.infer<typeof suppressionSchema>

export const suppressionFilterSchema = z.object({
  kind: z.enum(['phone', 'email']).optional(),
  reason: suppressionReasonSchema.optional(),
})
export type SuppressionFilter = z.infer<typeof suppressionFilterSchema>

/** Body of `POST /api/v1/admin/suppressions`: a pasted list, with a phone or an e-mail address in each line. */
export const newSuppressionsSchema = z.strictObject({
  contacts: z.string().min(1, 'Give at least one phone number or e-mail address'),
  reason: suppressionReasonSchema,
  note: z.string().overwrite(trimText).max(500, 'The note is too long (at most 500 characters)').nullish(),
})
export type NewSuppressions = z.infer<typeof newSuppressionsSchema>

/**
 * `known` were on the list before, or twice in the request. For refused lines the answer has their numbers, never their
 * content.
 */
export const suppressionsAddedSchema = z.object({
  added: z.int(),
  known: z.int(),
  refused_count: z.int(),
  refused: z.array(z.object({ line: z.int(), message: z.string() })),
})
export type SuppressionsAdded = z.infer<typeof suppressionsAddedSchema>

/**
 * Body of `POST /api/v1/admin/suppressions/find`: no query parameters, because addresses of requests are logged
 * everywhere.
 */
export const findSuppressionSchema = z.strictObject({
  contact: z.string().overwrite(trimCode).min(1).max(320),
})
