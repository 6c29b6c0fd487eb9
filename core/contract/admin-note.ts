import { z } from 'zod'
import { trimText } from './trim-invisible.ts'

const WORDS = 'The reason, in words. The audit log keeps it for good, so name no people'

/** A text that an administrator gives with a change of money or people. It is kept in the audit log for good. */
const adminNoteSchema = z.string().overwrite(trimText).max(500, 'Is too long (at most 500 characters)')

/** The text where the call may come without one. An empty text counts as none. */
export const optionalNoteSchema = adminNoteSchema
  .nullish()
  .transform((note) => (note === undefined || note === '' ? null : note))
  .describe(WORDS)

/** The text where the change is refused without one. @param refusal what the refusal says */
export const reasonSchema = (refusal: string) =>
  z.string({ error: refusal }).pipe(adminNoteSchema.min(1, refusal)).describe(WORDS)

/** Body of a removal. */
export const removalSchema = z.strictObject({ note: optionalNoteSchema })
