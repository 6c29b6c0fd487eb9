import { z } from 'zod'
import { accountIdSchema } from './accounts/account.ts'
import { adminRoleSchema } from './accounts/admin-role.ts'
import { givenRoleSchema, memberRoleSchema } from './accounts/member-role.ts'
import { contactMessageSchema } from './operations/contact-message.ts'
import { moneySchema } from './market/money/money.ts'
import { clientNoticeSchemas } from './market/client-notice.ts'

/** The configuration that a notice is about, and its owner. */
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
  /** whether it answers but rejects leads in its answers: that alone never switches it off */
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
/** The common data of these three, to which other webhooks can be added. */
export const digestSchema = toldSchema.extend({
  others: z.array(toldSchema).optional(),
  more: z.int().optional(),
})

/** Data of a mail with a code or link: such a mail is stored sealed, and only until it is sent. */
const accountSchema = z.object({
  /** the account's present or future address */
  address: z.string(),
  /** six digits; null if the mail has only a link */
  code: z.string().nullable(),
  code_expires_at: z.string(),
  /** null if the mail has only a code */
  url: z.string().nullable(),
  /** the time after which the mail is not worth sending */
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
  'revocation_code',
] as const
const accountMailSchema = z.object({ template: z.enum(ACCOUNT_TEMPLATES), data: accountSchema })
export type AccountMail = z.infer<typeof accountMailSchema>

/** The invitation into a client's account. It is stored sealed too, because its link is enough for the invited person. */
const memberInvitationMailSchema = z.object({
  template: z.literal('member_invited'),
  data: z.object({
    address: z.string(),
    account_name: z.string(),
    invited_by_name: z.string().nullable(),
    role: givenRoleSchema,
    url: z.string(),
    expires_at: z.string(),
  }),
})
export type MemberInvitationMail = z.infer<typeof memberInvitationMailSchema>

/**
 * Every mail that Leadwire sends: the template's name and its data. `data` of a notice holds ids, counts, amounts,
 * moments and the names of configurations and orders. It never holds a lead's personal data or a secret, because it
 * stays in the table `mails`.
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
  z.object({
    template: z.literal('adjustment_waits'),
    data: z.object({ amount: moneySchema, expires_at: z.string() }),
  }),
  /** null: no administrator any more */
  z.object({
    template: z.literal('administrator_role'),
    data: z.object({ role: adminRoleSchema.nullable() }),
  }),
  z.object({ template: z.literal('second_factor_reset'), data: z.object({}) }),
  z.object({
    template: z.literal('member_joined'),
    data: z.object({ member_name: z.string(), role: givenRoleSchema }),
  }),
  z.object({
    template: z.literal('member_role'),
    data: z.object({ account_name: z.string(), role: memberRoleSchema }),
  }),
  z.object({ template: z.literal('member_removed'), data: z.object({ account_name: z.string() }) }),
  /** to the owners; `removed`: by somebody else */
  z.object({
    template: z.literal('member_gone'),
    data: z.object({ member_name: z.string(), removed: z.boolean() }),
  }),
  z.object({
    template: z.literal('account_handed_over'),
    data: z.object({
      account_name: z.string(),
      from_name: z.string(),
      to_name: z.string(),
      is_yours: z.boolean(),
    }),
  }),
  ...clientNoticeSchemas,
  memberInvitationMailSchema,
  accountMailSchema,
])
export type Mail = z.infer<typeof mailSchema>
/** A mail whose data may stay readable in the table. */
export type Notice = Exclude<Mail, AccountMail | MemberInvitationMail>
export type MailData<Template extends Notice['template']> = Extract<Notice, { template: Template }>['data']
