import { z } from 'zod'

/** The bucket of the files that clients send with returns. */
export const EVIDENCE_BUCKET = 'evidence'

/** Limits of the files of a return (docs/product.md §9). */
export const EVIDENCE_LIMITS = {
  files: 5,
  /** of one file */
  bytes: 25_000_000,
  /** after which a file that was not sent with a return is removed */
  unsentHours: 24,
} as const

/** The types that a file picker offers. The server reads the type from the bytes. */
export const EVIDENCE_TYPES = 'image/*,audio/*,video/*,application/pdf'

/** A recording, picture, video or PDF that a client sent with a return. */
export const evidenceSchema = z.object({
  id: z.uuid(),
  /** what the client calls it */
  file_name: z.string(),
  content_type: z.string(),
  /** bytes */
  size: z.int(),
})
export type Evidence = z.infer<typeof evidenceSchema>
