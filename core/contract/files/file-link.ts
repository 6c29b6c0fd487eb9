import { z } from 'zod'

/** A URL that needs no token until it expires. With `&download=<name>` the file is saved in place of shown. */
export const fileLinkSchema = z.object({
  /** from the root of this origin */
  url: z.string(),
  expires_at: z.string(),
})
export type FileLink = z.infer<typeof fileLinkSchema>
