import { z } from 'zod'
import { searchTextSchema } from '../search-text.ts'
import { accountIdSchema } from './account.ts'
import { SEVERITIES } from './security-event.ts'
import { whenLeftOut } from '../when-left-out.ts'

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

/** A moment of a filter, in UTC or with an offset. */
const momentSchema = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d))?$/,
    'Must be a date, or a moment with its zone',
  )
  .refine((text) => !Number.isNaN(Date.parse(text)), 'Must be a date that exists')
  .optional()

/** Filters of the administrators' audit log; without filters all rows match. */
export const adminAuditFilterSchema = z.object({
  user_id: accountIdSchema.optional(),
  action: z
    .string()
    .regex(/^[a-z_]{1,60}$/, 'Must be an action, like signed_in')
    .optional(),
  actor_id: accountIdSchema.optional(),
  /** a part of the business, name or address of the account that a row is about */
  client: searchTextSchema,
  /** only what administrators and programs changed */
  changes: z.literal('true').optional(),
  from: momentSchema,
  /** without this moment */
  to: momentSchema,
})
export type AdminAuditFilter = z.infer<typeof adminAuditFilterSchema>

/** A row with names; e-mail addresses and phones in its details and names are masked. */
export const adminAuditRowSchema = auditRowSchema.extend({
  /** the action in words: the rest of a sentence that begins with its person */
  sentence: whenLeftOut(z.string(), 'made a change'),
  actor_name: whenLeftOut(z.string().nullable(), null),
  user_name: whenLeftOut(z.string().nullable(), null),
})
export type AdminAuditRow = z.infer<typeof adminAuditRowSchema>

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
