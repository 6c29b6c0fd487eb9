import { z } from 'zod'
import { namedClientSchema } from '../accounts/named-client.ts'
import { reasonSchema } from '../admin-note.ts'
import { trimCode } from '../trim-invisible.ts'
import { suppressionSchema } from '../market/suppression.ts'
import { leadStatusSchema } from './lead.ts'

const contact = z
  .string({ error: 'Give a phone number or an e-mail address' })
  .overwrite(trimCode)
  .min(1, 'Give a phone number or an e-mail address')
  .max(254)

/** Body of `POST /api/v1/admin/data-subjects/find`: one phone number or e-mail address. It is never part of a URL. */
export const dataSubjectSchema = z.strictObject({ contact })

/** Body of `POST /api/v1/admin/data-subjects/erase` and `/export`. */
export const dataSubjectRequestSchema = z.strictObject({
  contact,
  reason: reasonSchema('Say on whose request, without a name or address'),
})

const text = z.string().nullable()

/** The evidence that a person agreed to be contacted, as it came with a lead. */
export const consentRecordSchema = z.object({
  consent_given: z.boolean().nullable(),
  consent_at: text,
  consent_text: text,
  consent_url: text,
  consent_ip: text,
  trustedform_cert_url: text,
  jornaya_leadid: text,
})

/** Everything stored about a person with this phone or e-mail address. */
export const dataHeldSchema = z.object({
  kind: z.enum(['phone', 'email']),
  /** number of leads; the newest 100 are listed */
  lead_count: z.int(),
  leads: z.array(
    consentRecordSchema.extend({
      id: z.uuid(),
      created_at: z.string(),
      lead_type: z.string(),
      state: text,
      status: leadStatusSchema,
      source_name: text,
      holder: namedClientSchema.nullable(),
    }),
  ),
  /** entries of the suppression list */
  suppressions: z.array(suppressionSchema),
  /** messages of the contact form from this address */
  messages: z.int(),
  /** rows of imported files that became no lead */
  import_rows: z.int(),
  /** accounts that sign in with it; they are deleted by themselves, never with a lead */
  accounts: z.array(namedClientSchema),
})
export type DataHeld = z.infer<typeof dataHeldSchema>

/** The counts of what an erasure removed; the hash on the suppression list stays. */
export const dataErasedSchema = z.object({
  leads: z.int(),
  cancelled_deliveries: z.int(),
  erased_attempts: z.int(),
  erased_files: z.int(),
  messages: z.int(),
  import_rows: z.int(),
})
export type DataErased = z.infer<typeof dataErasedSchema>
