import { z } from 'zod'
import { trimText } from './trim-invisible.ts'

const WORDS = 'The reason, in words. The audit log keeps it for good, so name no people'

/** The text that an administrator gives with a change of money or accounts. The audit log keeps it for good. */
const adminNoteSchema = z.string().overwrite(trimText).max(500, 'Is too long (at most 500 characters)')

/** The text if it is optional. An empty text counts as none. */
export const optionalNoteSchema = adminNoteSchema
  .nullish()
  .transform((note) => (note === undefined || note === '' ? null : note))
  .describe(WORDS)

/**
 * The text if it is required.
 * @param refusal the message of the refusal
 */
export const reasonSchema = (refusal: string) =>
  z.string({ error: refusal }).pipe(adminNoteSchema.min(1, refusal)).describe(WORDS)

/** Body of a removal. */
export const removalSchema = z.strictObject({ note: optionalNoteSchema })
