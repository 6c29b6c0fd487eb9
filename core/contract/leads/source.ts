import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { reasonSchema } from '../admin-note.ts'
import { trimText } from '../trim-invisible.ts'
import { whenLeftOut } from '../when-left-out.ts'

/** The prefix of every source key, so that a leaked one is recognisable, and servers can tell it from a token. */
export const SOURCE_KEY_PREFIX = 'lw_src_'

/**
 * Body of `POST /api/v1/admin/sources`. A source that names its client (`owner_user_id`) hands every lead to that
 * client. For such a source `auto_assign` defaults to true, for one of the market to false. In test mode everything it
 * sends is a test.
 */
export const newSourceSchema = z.strictObject({
  name: z
    .string({ error: 'Name is required' })
    .overwrite(trimText)
    .min(1, 'Name is required')
    .max(120, 'Name is too long (at most 120 characters)'),
  owner_user_id: z.guid({ error: 'Owner must be the id of an account' }).nullish(),
  auto_assign: z.boolean().nullish(),
  test_mode: z.boolean().nullish(),
})
export type NewSource = z.infer<typeof newSourceSchema>

/** Limit of valid keys of one source at a time (docs/product.md §9). */
export const MOST_SOURCE_KEYS = 5

/** A key of a source in the form that administrators see; the key itself is shown only when it is made. */
export const sourceKeySchema = z.object({
  id: z.uuid(),
  api_key_prefix: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
})
export type SourceKey = z.infer<typeof sourceKeySchema>

/** Answer of `POST /api/v1/admin/sources/:id/keys`: the only time that the key is shown. */
export const createdSourceKeySchema = sourceKeySchema.extend({
  api_key: z.string().startsWith(SOURCE_KEY_PREFIX),
})

/**
 * A source in the form that administrators see. `api_key_prefix` is the first characters of its oldest valid key,
 * enough to tell keys apart.
 */
export const sourceSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  owner_user_id: accountIdSchema.nullable(),
  /** the client's name, or e-mail address without a name */
  owner_name: z.string().nullable(),
  auto_assign: z.boolean(),
  test_mode: z.boolean(),
  api_key_prefix: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  /** when all of its keys ended at once, by `DELETE` or because it was stopped */
  revoked_at: z.string().nullable(),
  /** newest first */
  keys: z.array(sourceKeySchema),
  stopped_at: z.string().nullable(),
  stop_reason: z.string().nullable(),
  /** since when leads under its keys are refused; null while they are taken */
  paused_at: whenLeftOut(z.string().nullable(), null),
  pause_reason: whenLeftOut(z.string().nullable(), null),
  /** the name, or without one the e-mail address, of the administrator who paused it */
  paused_by_name: whenLeftOut(z.string().nullable(), null),
})
export type Source = z.infer<typeof sourceSchema>

/** Body of `PATCH /api/v1/admin/sources/:id`. */
export const sourceChangeSchema = z.strictObject({ test_mode: z.boolean() })

/** Body of `POST /api/v1/admin/sources/:id/stop`. */
export const sourceStopSchema = z.strictObject({ reason: reasonSchema('Say why') })

/** Body of `POST /api/v1/admin/sources/:id/pause` and `…/resume`. */
export const sourcePauseSchema = z.strictObject({ reason: reasonSchema('Say why') })

/** Answer of `POST /api/v1/admin/sources`: the only time that the key is shown. */
export const createdSourceSchema = sourceSchema.extend({ api_key: z.string().startsWith(SOURCE_KEY_PREFIX) })
