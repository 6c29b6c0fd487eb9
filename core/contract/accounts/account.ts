import { z } from 'zod'
import { moneySchema } from '../market/money/money.ts'
import { trimText } from '../trim-invisible.ts'
import { adminPermissionSchema, adminRoleSchema } from './admin-role.ts'
import { memberPermissionSchema, memberRoleSchema } from './member-role.ts'
import { whenLeftOut } from '../when-left-out.ts'

export const ROLES = ['client', 'admin'] as const
export const roleSchema = z.enum(ROLES)
export type Role = z.infer<typeof roleSchema>

/** The id of an account. An account may be imported under any UUID, also one whose version RFC 9562 does not define. */
export const accountIdSchema = z.guid()

/** `GET /api/v1/me`. */
export const meSchema = z.object({
  user_id: accountIdSchema,
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  /** of the account; null for a person whose role may not see money */
  balance: moneySchema.nullable(),
  unread_lead_count: z.int(),
  /** orders that nobody has paused and that have not ended */
  active_order_count: whenLeftOut(z.int(), 0),
  status: z.enum(['active', 'suspended']),
  /** an administrator has approved the account; it may store files then */
  is_approved: whenLeftOut(z.boolean(), true),
  /** null for a client; in an answer of an earlier version also for an administrator, who may do everything then */
  admin_role: whenLeftOut(adminRoleSchema.nullable(), null),
  /** the account that the person acts for; its founder's user id */
  account_id: accountIdSchema.optional(),
  /** empty until the account has told its business */
  account_name: whenLeftOut(z.string(), ''),
  member_role: whenLeftOut(memberRoleSchema, 'owner'),
  /** what an administrator's role may do; of a client, what the role in the account may do */
  permissions: whenLeftOut(z.array(z.union([adminPermissionSchema, memberPermissionSchema])), []),
})
export type Me = z.infer<typeof meSchema>

/** `PATCH /api/v1/me`. */
export const accountChangeSchema = z.strictObject({
  name: z.string().overwrite(trimText).min(1, 'Name is required').max(120, 'Name too long'),
})

/**
 * `GET /api/v1/me/password`: whether the account has one; an account that began with a provider or a mail's link may
 * have none.
 */
export const ownPasswordSchema = z.object({ is_set: z.boolean() })
