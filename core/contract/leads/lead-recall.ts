import { z } from 'zod'
import { reasonSchema } from '../admin-note.ts'
import { moneySchema } from '../market/money/money.ts'
import { momentSchema } from '../moment.ts'

const MOMENT = 'Must be a time like 2026-01-31T17:05:00Z'

/** The sold leads of a source that came in a time: `from` is included, `to` is not. */
export const recallRangeSchema = z.object({
  source: z.uuid({ error: 'Choose a source' }),
  from: momentSchema(MOMENT),
  to: momentSchema(MOMENT),
})

/** `GET /api/v1/admin/lead-recalls/preview`: what a recall would return. */
export const recallPreviewSchema = z.object({
  leads: z.int(),
  /** dollars that clients would get back */
  amount: moneySchema,
  clients: z.int(),
})
export type RecallPreview = z.infer<typeof recallPreviewSchema>

/** Body of `POST /api/v1/admin/lead-recalls`. */
export const newRecallSchema = z
  .strictObject({
    source_id: z.uuid({ error: 'Choose a source' }),
    from: momentSchema(MOMENT),
    to: momentSchema(MOMENT),
    reason: reasonSchema('Say why the leads are recalled'),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'Must be after the beginning' })
export type NewRecall = z.infer<typeof newRecallSchema>

/** A recall and how far it is: `waiting` leads are still to be returned. */
export const leadRecallSchema = z.object({
  id: z.uuid(),
  source: z.object({ id: z.uuid(), name: z.string() }),
  from: z.string(),
  to: z.string(),
  reason: z.string(),
  created_at: z.string(),
  /** null while leads wait */
  ended_at: z.string().nullable(),
  leads: z.int(),
  returned: z.int(),
  /** leads that their client did not have any more */
  skipped: z.int(),
  waiting: z.int(),
  /** dollars that clients got back */
  credited: moneySchema,
})
export type LeadRecall = z.infer<typeof leadRecallSchema>
