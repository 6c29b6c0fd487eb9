import { z } from 'zod'
import { accountIdSchema } from './accounts/account.ts'
import { contactMessageSchema } from './operations/contact-message.ts'
import { clientNoticeSchemas } from './market/client-notice.ts'

/** Of which configuration a notice speaks, and whose it is. */
const endpointSchema = z.object({
  webhook_config_id: z.uuid(),
  webhook_name: z.string(),
  client_user_id: accountIdSchema,
  client_name: z.string(),
})

const failingSchema = endpointSchema.extend({
  failures_in_row: z.int(),
  failing_since: z.string(),
  last_failure: z.string().nullable(),
  /** it answers, but its answers say no: that alone never switches it off */
  refuses: z.boolean().default(false),
  waiting: z.int(),
})
const recoveredSchema = endpointSchema.extend({
  failing_since: z.string().nullable(),
  recovered_at: z.string(),
})
const switchedOffSchema = endpointSchema.extend({
  reason: z.string(),
  switched_off_at: z.string(),
  waiting: z.int(),
})

/** Data of a mail about one or several webhooks (core/contract/gather-digest.ts). */
const digestOf = <Told extends z.ZodRawShape>(told: z.ZodObject<Told>) =>
  told.extend({ others: z.array(told).optional(), more: z.int().optional() })

const toldSchema = z.looseObject({ webhook_config_id: z.string() })
/** Data of any of these three, as far as others can be added to them. */
export const digestSchema = toldSchema.extend({
  others: z.array(toldSchema).optional(),
  more: z.int().optional(),
})

/** What lets somebody in: such a mail is stored sealed, and only until it is sent. */
const accountSchema = z.object({
  /** the address that the account has, or is to have */
  address: z.string(),
  /** six digits; null where the mail holds a link alone */
  code: z.string().nullable(),
  code_expires_at: z.string(),
  /** null where the mail holds a code alone */
  url: z.string().nullable(),
  /** until when the mail is worth sending */
  expires_at: z.string(),
})
export const ACCOUNT_TEMPLATES = [
  'account_confirm',
  'account_magic_link',
  'account_recovery',
  'account_email_change',
  'account_invite',
  'account_reauthentication',
  'account_code',
  'account_exists',
] as const
const accountMailSchema = z.object({ template: z.enum(ACCOUNT_TEMPLATES), data: accountSchema })
export type AccountMail = z.infer<typeof accountMailSchema>

/**
 * Every mail that Leadwire sends: the template's name and what it says. `data` of a notice holds ids, counts, amounts, moments and the
 * names of configurations and orders; never a lead's personal data, never a secret, because it stays in the table `mails`.
 */
export const mailSchema = z.discriminatedUnion('template', [
  z.object({
    template: z.literal('endpoint_failing'),
    data: digestOf(failingSchema),
  }),
  z.object({
    template: z.literal('endpoint_recovered'),
    data: digestOf(recoveredSchema),
  }),
  z.object({
    template: z.literal('endpoint_switched_off'),
    data: digestOf(switchedOffSchema),
  }),
  z.object({
    template: z.literal('contact_message'),
    data: z.object({ reference: z.string(), topic: contactMessageSchema.shape.topic }),
  }),
  z.object({
    template: z.literal('contact_receipt'),
    data: z.object({
      reference: z.string(),
      topic: contactMessageSchema.shape.topic,
      /** days until the message is deleted */
      kept_days: z.int(),
    }),
  }),
  ...clientNoticeSchemas,
  accountMailSchema,
])
export type Mail = z.infer<typeof mailSchema>
/** A mail whose data may stay readable in the table. */
export type Notice = Exclude<Mail, AccountMail>
export type MailData<Template extends Notice['template']> = Extract<Notice, { template: Template }>['data']
