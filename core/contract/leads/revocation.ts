import { z } from 'zod'
import { namedClientSchema } from '../accounts/named-client.ts'
import { optionalNoteSchema, reasonSchema } from '../admin-note.ts'
import { trimCode } from '../trim-invisible.ts'

/** Limit of revocations of one client or source in 24 hours that take effect at once; further ones wait. */
export const REVOCATIONS_A_DAY = 100
/** Limit of waiting revocations of one client or source; further reports are refused (429). */
export const REVOCATIONS_WAITING = 1000

export const REVOCATION_REPORTERS = ['consumer', 'source', 'client', 'administrator'] as const
export const revocationReporterSchema = z.enum(REVOCATION_REPORTERS)
export type RevocationReporter = z.infer<typeof revocationReporterSchema>

/**
 * `everybody`: no client may contact the person, and no lead of the person is sold. `client`: the client that reported it,
 * or that its source names. `leads`: everybody who holds or held the leads that the source sent.
 */
export const REVOCATION_REACHES = ['everybody', 'client', 'leads'] as const
export type RevocationReach = (typeof REVOCATION_REACHES)[number]

/** `waiting`: its caller had reached the daily limit, and an administrator decides. */
export const REVOCATION_STATUSES = ['waiting', 'in_force', 'declined'] as const
export const revocationStatusSchema = z.enum(REVOCATION_STATUSES)
export type RevocationStatus = z.infer<typeof revocationStatusSchema>

const contactSchema = z
  .string({ error: 'Give a phone number or an e-mail address' })
  .overwrite(trimCode)
  .min(1, 'Give a phone number or an e-mail address')
  .max(254, 'Give a phone number or an e-mail address')

/** Body of `POST /api/v1/revocations/code`: where the code is sent. */
export const revocationCodeRequestSchema = z.strictObject({
  contact: contactSchema,
  /** the captcha's token, if the installation asks for one */
  captcha_token: z.string().max(10_000).optional(),
})

/** Its answer, the same for every contact. */
export const revocationCodeSentSchema = z.object({
  kind: z.enum(['phone', 'email']),
  expires_in_seconds: z.int(),
})

/** Body of `POST /api/v1/revocations/proof`. */
export const revocationProofSchema = z.strictObject({
  contact: contactSchema,
  code: z
    .string({ error: 'Type the six digits' })
    .overwrite(trimCode)
    .refine((code) => /^\d{6}$/.test(code), 'Type the six digits'),
})

/** Its answer: since when nobody may contact the person any more. It does not say whether the person was known. */
export const revocationProvenSchema = z.object({ revoked_at: z.string() })

/** Body of `POST /api/v1/revocations`: a source names a contact, or a lead by its id or the id that it gave it. */
export const revocationReportSchema = z
  .strictObject({
    contact: contactSchema.optional(),
    lead_id: z.uuid().optional(),
    external_id: z.string().overwrite(trimCode).min(1).max(200).optional(),
  })
  .refine((given) => Object.values(given).filter((value) => value !== undefined).length === 1, {
    message: 'Give one of contact, lead_id and external_id',
    path: ['contact'],
  })
export type RevocationReport = z.infer<typeof revocationReportSchema>

/**
 * The answer to a client or a source. `known`: all of it was revoked before, and nothing was added. `none`: the caller has
 * no such lead; `revocation_id` is null then.
 */
export const revocationReportedSchema = z.object({
  outcome: z.enum(['in_force', 'waiting', 'known', 'none']),
  revocation_id: z.uuid().nullable(),
})
export type RevocationReported = z.infer<typeof revocationReportedSchema>

/** Body of `POST /api/v1/admin/revocations`. */
export const adminRevocationSchema = z
  .strictObject({
    contact: contactSchema.optional(),
    lead_id: z.uuid().optional(),
    reason: reasonSchema('Say how the person revoked, without a name or address'),
  })
  .refine(({ contact, lead_id }) => (contact === undefined) !== (lead_id === undefined), {
    message: 'Give a contact or a lead',
    path: ['contact'],
  })
export type AdminRevocation = z.infer<typeof adminRevocationSchema>

/** Body of `approve` and `decline`. */
export const revocationApprovalSchema = z.strictObject({ note: optionalNoteSchema })
export const revocationRefusalSchema = z.strictObject({ note: reasonSchema('Say why it is declined') })

/** The time in which holders have to act. */
const deadline = {
  /** when it took effect; null while it waits */
  revoked_at: z.string().nullable(),
  /** the tenth business day after it, `YYYY-MM-DD`, in the zone of the administration */
  due_on: z.string().nullable(),
  /** business days that are left after today; negative once it is overdue */
  business_days_left: z.int().nullable(),
}

/** A receipt: a webhook's 2xx, or a person of the account who pressed *Acknowledge*. */
const receipt = {
  /** a webhook has chosen the event, and its 2xx is awaited */
  is_sent: z.boolean(),
  mailed_at: z.string().nullable(),
  acknowledged_at: z.string().nullable(),
  acknowledged_by: z.enum(['webhook', 'person']).nullable(),
  /** the webhook that answered */
  webhook_name: z.string().nullable(),
}

/** A revocation as a client reads it, for one lead that it holds or held. */
export const ownRevocationSchema = z.object({
  id: z.uuid(),
  revocation_id: z.uuid(),
  lead_id: z.uuid(),
  lead_type: z.string().nullable(),
  /** null once the lead is somebody else's, was returned, or its person was erased */
  lead_name: z.string().nullable(),
  reported_by: revocationReporterSchema,
  ...deadline,
  ...receipt,
})
export type OwnRevocation = z.infer<typeof ownRevocationSchema>

/** One client and one lead of a revocation, as administrators read it. */
export const revocationHolderSchema = z.object({
  id: z.uuid(),
  lead_id: z.uuid(),
  client: namedClientSchema,
  /** it holds the lead now; otherwise it held it before */
  is_holding: z.boolean(),
  ...receipt,
})
export type RevocationHolder = z.infer<typeof revocationHolderSchema>

/** A revocation in the list of administrators. */
export const revocationSchema = z.object({
  id: z.uuid(),
  reported_by: revocationReporterSchema,
  reach: z.enum(REVOCATION_REACHES),
  status: revocationStatusSchema,
  /** how a person proved it */
  proof: z.enum(['sms', 'email']).nullable(),
  source: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  client: namedClientSchema.nullable(),
  reason: z.string().nullable(),
  decision_note: z.string().nullable(),
  decided_at: z.string().nullable(),
  created_at: z.string(),
  ...deadline,
  /** number of leads that a waiting report names */
  leads: z.int(),
  holders: z.int(),
  acknowledged: z.int(),
  is_overdue: z.boolean(),
})
export type Revocation = z.infer<typeof revocationSchema>

/** `GET /api/v1/admin/revocations/:id`; at most the first 500 holders. */
export const revocationDetailSchema = revocationSchema.extend({
  receipts: z.array(revocationHolderSchema),
})
export type RevocationDetail = z.infer<typeof revocationDetailSchema>

export const revocationFilterSchema = z.object({
  status: revocationStatusSchema.optional(),
  /** only those with a holder who has not acknowledged: all, or those that are overdue */
  open: z.enum(['any', 'overdue']).optional(),
})
export type RevocationFilter = z.infer<typeof revocationFilterSchema>
