import { z } from 'zod'
import { reasonSchema } from '../admin-note.ts'
import { accountIdSchema } from './account.ts'
import { adminRoleSchema } from './admin-role.ts'
import { keptSecurityEventSchema } from './audit.ts'
import { ownSessionSchema } from './session.ts'
import { SEVERITIES } from './security-event.ts'

/** `invited`: the invitation waits to be accepted; `blocked`: banned or suspended. */
export const PERSON_STATES = ['active', 'invited', 'blocked'] as const

/** An account as the screens about people show it. */
export const adminPersonSchema = z.object({
  user_id: accountIdSchema,
  email: z.string(),
  name: z.string(),
  /** also the role that a waiting invitation gives; null for a client */
  admin_role: adminRoleSchema.nullable(),
  status: z.enum(PERSON_STATES),
  last_sign_in_at: z.string().nullable(),
  has_second_factor: z.boolean(),
  /** open sessions */
  sessions: z.int(),
  created_at: z.string(),
})
export type AdminPerson = z.infer<typeof adminPersonSchema>

/** One account with what its person signs in with. */
export const adminPersonDetailSchema = adminPersonSchema.extend({
  factors: z.array(z.object({ factor_type: z.enum(['totp', 'phone']), created_at: z.string() })),
  recovery_codes_left: z.int(),
  session_list: z.array(
    ownSessionSchema.pick({
      id: true,
      created_at: true,
      last_active_at: true,
      ip: true,
      user_agent: true,
      aal: true,
    }),
  ),
})
export type AdminPersonDetail = z.infer<typeof adminPersonDetailSchema>

const emailSchema = z.string('Enter an email address').max(320, 'Is too long').describe('The email address')

/** Body of `POST /api/v1/admin/people`. */
export const invitationSchema = z.strictObject({
  email: emailSchema,
  admin_role: adminRoleSchema,
  reason: reasonSchema('Say why this person becomes an administrator'),
})
export type Invitation = z.infer<typeof invitationSchema>

/** Body of `PATCH /api/v1/admin/people/:id`. */
export const roleChangeSchema = z.strictObject({
  admin_role: adminRoleSchema,
  reason: reasonSchema('Say why the role changes'),
})

/** Body of the other changes of a person. */
export const personChangeSchema = z.strictObject({ reason: reasonSchema('Say why') })

/** Body of `POST /api/v1/admin/people/find`, which keeps the address out of logs. */
export const findPersonSchema = z.strictObject({ email: emailSchema })

/** `POST /api/v1/admin/people/:id/end-sessions` */
export const sessionsEndedSchema = z.object({
  /** sessions that were open */
  ended: z.int(),
})

/** Filters of the security events of all accounts. */
export const securityEventFilterSchema = z.object({
  user_id: accountIdSchema.optional(),
  severity: z.enum(SEVERITIES).optional(),
  type: z
    .string()
    .regex(/^[a-z][a-z_]{0,63}$/, 'Must be a word in snake_case')
    .optional(),
})
export type SecurityEventFilter = z.infer<typeof securityEventFilterSchema>

/** A security event with its account; null where nobody was signed in. */
export const adminSecurityEventSchema = keptSecurityEventSchema.extend({
  user_id: accountIdSchema.nullable(),
  email: z.string().nullable(),
})
export type AdminSecurityEvent = z.infer<typeof adminSecurityEventSchema>
