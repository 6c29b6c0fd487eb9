import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { clientSchema } from '../accounts/named-client.ts'
import { reasonSchema } from '../admin-note.ts'
import { trimText } from '../trim-invisible.ts'
import { whenLeftOut } from '../when-left-out.ts'
import { EVIDENCE_LIMITS, evidenceSchema } from './return-evidence.ts'

/** The reasons for which a client may give a lead back (docs/product.md §4). */
export const RETURN_REASONS = [
  'disconnected_number',
  'wrong_number',
  'duplicate_from_us',
  'wrong_state',
  'outside_order_filters',
  'did_not_request',
  'false_information',
  'language',
  'test_or_agent',
  'missing_required_field',
] as const
export const returnReasonSchema = z.enum(RETURN_REASONS)
export type ReturnReason = z.infer<typeof returnReasonSchema>

/** The system's own reason: the client's CRM refused the lead, or none of its webhooks could be reached. */
export const DELIVERY_FAILED = 'delivery_failed'
/** An administrator took the lead back, for example to give it to another client. The client is not told to whom. */
export const TAKEN_BACK = 'taken_back'
/** An administrator took back the leads of a bad source. */
export const RECALLED = 'recalled'
/** Reasons that only Leadwire itself gives. */
export const OWN_REASONS = [DELIVERY_FAILED, TAKEN_BACK, RECALLED] as const
export type SystemReason = (typeof OWN_REASONS)[number]

/** Reasons that need a note. */
export const NOTED_REASONS: readonly ReturnReason[] = ['wrong_number', 'did_not_request', 'false_information']
export const SHORTEST_NOTE = 10
export const NOTE_WANTED = `Say what happened, in at least ${SHORTEST_NOTE} characters`
const LONGEST_NOTE = 1000

export const RETURN_STATUSES = ['pending', 'approved', 'denied', 'withdrawn'] as const
export const returnStatusSchema = z.enum(RETURN_STATUSES)
export type ReturnStatus = z.infer<typeof returnStatusSchema>

const note = z
  .string()
  .overwrite(trimText)
  .max(LONGEST_NOTE, 'A note is too long (at most 1,000 characters)')
  .transform((text) => (text === '' ? null : text))
  .nullish()
  .transform((text) => text ?? null)

const evidence = z
  .array(z.uuid())
  .max(EVIDENCE_LIMITS.files, `At most ${EVIDENCE_LIMITS.files} files can be sent with a return`)
  .default([])

/** Body of `POST /api/v1/leads/:id/return`. `evidence`: ids of files in the bucket of that name. */
export const returnRequestSchema = z
  .strictObject({ reason: returnReasonSchema, note, evidence })
  .refine(
    ({ reason, note: text }) => !NOTED_REASONS.includes(reason) || (text ?? '').length >= SHORTEST_NOTE,
    {
      path: ['note'],
      error: NOTE_WANTED,
    },
  )
export type ReturnRequest = z.infer<typeof returnRequestSchema>

/**
 * Body of `POST /api/v1/admin/leads/:id/return`: the return of a lead on its client's behalf. `note` says why, for the
 * audit log.
 */
export const returnOnBehalfSchema = z.strictObject({
  reason: returnReasonSchema,
  note: reasonSchema('Say why it is returned'),
})

/** Body of `POST /api/v1/admin/returns/:id/approve` and `/deny`. */
export const returnDecisionSchema = z.strictObject({ note })

/**
 * A request to give a lead back, in the form that the client sees. `price` is the credit of an approval; `reason` may
 * be the system's own.
 */
export const leadReturnSchema = z.object({
  id: z.uuid(),
  lead_id: z.uuid(),
  reason: z.string(),
  note: z.string().nullable(),
  status: returnStatusSchema,
  asked_by: z.enum(['client', 'admin', 'system']),
  price: z.string(),
  created_at: z.string(),
  decided_at: z.string().nullable(),
  decision_note: z.string().nullable(),
  evidence: whenLeftOut(z.array(evidenceSchema), []),
})
export type LeadReturn = z.infer<typeof leadReturnSchema>

/**
 * A request to give a lead back, in the form that administrators see. `held_for_review`: before this return, the client
 * had returned more than a fifth of its leads of 30 days. For {@link DELIVERY_FAILED}: more than a fifth could not be
 * delivered. `was_delivered`: one of the client's webhooks has accepted the lead.
 */
export const heldReturnSchema = leadReturnSchema.extend({
  held_for_review: z.boolean(),
  was_delivered: z.boolean(),
  client: clientSchema,
  decided_by: z.object({ user_id: accountIdSchema, email: z.string() }).nullable(),
  lead_type: z.string(),
  state: z.string().nullable(),
  assigned_at: z.string(),
})
export type HeldReturn = z.infer<typeof heldReturnSchema>

/**
 * Whether a lead can be given back: until when, or why not; null for a lead that the reader does not hold.
 * `duplicate_days`: number of days in which we sell a person once; 0 if we do not promise it.
 */
export const returnableSchema = z.object({
  until: z.string(),
  refusal: z.string().nullable(),
  duplicate_days: z.int(),
})
export type Returnable = z.infer<typeof returnableSchema>
