import { z } from 'zod'
import { accountIdSchema } from './account.ts'
import { SEVERITIES } from './security-event.ts'

/** A row of the audit log in the form that the account's owner sees: action, time, actor and network. */
export const ownAuditRowSchema = z.object({
  id: z.uuid(),
  at: z.string(),
  /** `signed_in`, `password_changed`, `user_updated_by_admin`, … */
  action: z.string(),
  /** the owner; an administrator; a program with a service key; or a person who is not signed in */
  actor: z.enum(['user', 'admin', 'service', 'nobody']),
  session_id: z.uuid().nullable(),
  /** null for an administrator or a program, whose network the owner may not see */
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
})
export type OwnAuditRow = z.infer<typeof ownAuditRowSchema>

/** A row of the audit log in the form that administrators see. For a removed account only its id is left. */
export const auditRowSchema = ownAuditRowSchema.extend({
  user_id: accountIdSchema.nullable(),
  actor_id: accountIdSchema.nullable(),
})
export type AuditRow = z.infer<typeof auditRowSchema>

/** Filters of the audit log; without filters all rows match. */
export const auditFilterSchema = z.object({
  user_id: accountIdSchema.optional(),
  action: z
    .string()
    .regex(/^[a-z_]{1,60}$/, 'Must be an action, like signed_in')
    .optional(),
})
export type AuditFilter = z.infer<typeof auditFilterSchema>

/** A security event that the server stores for its owner (docs/product.md §3). */
export const keptSecurityEventSchema = z.object({
  id: z.uuid(),
  type: z.string(),
  severity: z.enum(SEVERITIES),
  /** by the browser's clock */
  occurred_at: z.string(),
  received_at: z.string(),
  url: z.string().nullable(),
  user_agent: z.string().nullable(),
  ip: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
})
export type KeptSecurityEvent = z.infer<typeof keptSecurityEventSchema>
