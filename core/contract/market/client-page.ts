import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { memberRoleSchema } from '../accounts/member-role.ts'
import { optionalNoteSchema } from '../admin-note.ts'
import { ownSessionSchema } from '../accounts/session.ts'
import { trimText } from '../trim-invisible.ts'
import { endpointHealthSchema } from '../webhooks/endpoint-health.ts'

/** A client's webhook, in the form that administrators see. */
export const clientWebhookSchema = endpointHealthSchema.extend({
  is_active: z.boolean(),
  /** never its path or query, which may hold secrets */
  endpoint_host: z.string(),
})
export type ClientWebhook = z.infer<typeof clientWebhookSchema>

/** A note that administrators keep about a client. It never changes, and the client does not see it. */
export const clientNoteSchema = z.object({
  id: z.uuid(),
  created_at: z.string(),
  text: z.string(),
  /** the administrator who wrote it; null once that account is gone */
  author: z.object({ user_id: accountIdSchema, name: z.string(), email: z.string() }).nullable(),
})
export type ClientNote = z.infer<typeof clientNoteSchema>

/** Body of a new note. */
export const newClientNoteSchema = z.strictObject({
  text: z
    .string('Write the note')
    .overwrite(trimText)
    .min(1, 'Write the note')
    .max(2000, 'The note is too long (at most 2,000 characters)'),
})

/** A person who can sign in to a client's account, in the form that administrators see. */
export const clientPersonSchema = z.object({
  user_id: accountIdSchema,
  name: z.string(),
  email: z.string(),
  member_role: memberRoleSchema,
  email_confirmed_at: z.string().nullable(),
  last_sign_in_at: z.string().nullable(),
  /** whether a second factor was set up */
  has_factor: z.boolean(),
  /** where the person is signed in, last used first */
  sessions: z.array(
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
export type ClientPerson = z.infer<typeof clientPersonSchema>

/**
 * Body of `POST /api/v1/admin/clients/:id/resend-failed`: everything that finally failed for a client, or for one of
 * its webhooks. With `dry_run` it is only counted, and no reason is needed.
 */
export const clientResendSchema = z
  .strictObject({
    webhook: z.uuid().optional().describe('Only what failed at this webhook, by its id'),
    dry_run: z.boolean().default(false),
    note: optionalNoteSchema,
  })
  .refine(({ dry_run: isDry, note }) => isDry || note !== null, {
    path: ['note'],
    error: 'Say why it is sent again',
  })
