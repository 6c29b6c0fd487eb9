import { z } from 'zod'
import { reasonSchema } from '../admin-note.ts'
import { trimText } from '../trim-invisible.ts'
import { whenLeftOut } from '../when-left-out.ts'

/** A key of a program that acts for the service itself. The key is shown only when it is made. */
export const serviceKeySchema = z.object({
  id: z.guid(),
  program: z.string(),
  /** the last four characters of the key; null for a key that was made before they were kept */
  key_ending: whenLeftOut(z.string().nullable(), null),
  /** false: the one row for all keys that were made before keys were listed, or without the database */
  is_listed: z.boolean(),
  created_at: z.string(),
  /** null for the row of unlisted keys: each of them has its own end */
  expires_at: z.string().nullable(),
  /** written once a minute at most */
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
})
export type ServiceKey = z.infer<typeof serviceKeySchema>

/** The life of a service key in days. */
const MOST_KEY_DAYS = 3650
export const USUAL_KEY_DAYS = 90

/** A key that is to be made. */
export const serviceKeyWishSchema = z.strictObject({
  program: z
    .string({ error: 'Name the program' })
    .overwrite(trimText)
    .min(1, 'Name the program')
    .max(100, 'Is too long (at most 100 characters)'),
  days: z
    .int({ error: 'Must be a whole number of days' })
    .min(1, 'Must be at least 1')
    .max(MOST_KEY_DAYS, 'Must be at most 3,650')
    .default(USUAL_KEY_DAYS),
})
export type ServiceKeyWish = z.infer<typeof serviceKeyWishSchema>

/** Body of `POST /api/v1/admin/service-keys`. */
export const newServiceKeySchema = serviceKeyWishSchema.extend({
  reason: reasonSchema('Say why the program needs a key'),
})

/** Answer of `POST /api/v1/admin/service-keys`: the only time that the key is shown. */
export const madeServiceKeySchema = serviceKeySchema.extend({ key: z.string() })
export type MadeServiceKey = z.infer<typeof madeServiceKeySchema>
