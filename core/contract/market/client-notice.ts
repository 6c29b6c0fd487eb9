import { z } from 'zod'
import { exportKindSchema } from '../exports/export.ts'
import { moneySchema } from './money/money.ts'

/** The limits of an order that a client may be told of. */
export const ORDER_CAPS = ['daily', 'weekly', 'monthly', 'total', 'daily_budget', 'monthly_budget'] as const
export type OrderCap = (typeof ORDER_CAPS)[number]

const recharge = { amount: moneySchema, failure: z.string() }

/**
 * The notices that a client gets by mail about its money and orders: amounts, ids and our own words, never a lead's
 * personal data.
 */
export const clientNoticeSchemas = [
  z.object({
    template: z.literal('low_balance'),
    data: z.object({ balance: moneySchema, threshold: moneySchema }),
  }),
  z.object({
    template: z.literal('out_of_funds'),
    /** `cheapest`: the lowest price that one of the orders may pay for a lead; null without an order */
    data: z.object({ balance: moneySchema, cheapest: moneySchema.nullable() }),
  }),
  z.object({
    template: z.literal('payment_requested'),
    /** `bank_details`: empty if nobody has said where to pay */
    data: z.object({
      payment_id: z.uuid(),
      amount: moneySchema,
      reference: z.string(),
      bank_details: z.string(),
    }),
  }),
  z.object({
    template: z.literal('payment_received'),
    data: z.object({
      payment_id: z.uuid(),
      kind: z.enum(['top_up', 'auto_recharge']),
      amount: moneySchema,
      balance: moneySchema,
    }),
  }),
  z.object({
    template: z.literal('payment_failed'),
    data: z.object({ payment_id: z.uuid(), amount: moneySchema, failure: z.string() }),
  }),
  z.object({
    template: z.literal('payment_reversed'),
    data: z.object({
      payment_id: z.uuid(),
      /** lowered: the dispute continues about a smaller amount */
      entry: z.enum([
        'chargeback',
        'chargeback_lowered',
        'chargeback_reversal',
        'refund_out',
        'refund_failed',
      ]),
      amount: moneySchema,
      balance: moneySchema,
    }),
  }),
  z.object({ template: z.literal('recharge_failed'), data: z.object(recharge) }),
  z.object({ template: z.literal('recharge_stopped'), data: z.object({ reason: z.string() }) }),
  z.object({
    template: z.literal('return_decided'),
    data: z.object({
      lead_id: z.uuid(),
      status: z.enum(['approved', 'denied']),
      amount: moneySchema,
      note: z.string().nullable(),
    }),
  }),
  z.object({
    template: z.literal('lead_taken_back'),
    data: z.object({ lead_id: z.uuid(), amount: moneySchema }),
  }),
  z.object({
    template: z.literal('lead_given'),
    data: z.object({ lead_id: z.uuid(), amount: moneySchema, order_name: z.string() }),
  }),
  z.object({
    template: z.literal('leads_recalled'),
    data: z.object({ leads: z.int(), amount: moneySchema }),
  }),
  z.object({
    template: z.literal('order_paused'),
    data: z.object({ order_name: z.string(), reason: z.string().nullable() }),
  }),
  z.object({ template: z.literal('account_approved'), data: z.object({}) }),
  z.object({
    template: z.literal('new_leads'),
    /** `with_contacts`: the mail names the people; it reads them when it is sent, so that they are not kept here */
    data: z.object({ lead_ids: z.array(z.uuid()), more: z.int(), with_contacts: z.boolean() }),
  }),
  z.object({
    template: z.literal('cap_reached'),
    data: z.object({ order_name: z.string(), cap: z.enum(ORDER_CAPS), limit: z.string() }),
  }),
  z.object({
    template: z.literal('weekly_digest'),
    /** the figures of /analytics for one week, from Monday to Sunday in the account's zone */
    data: z.object({
      from: z.iso.date(),
      to: z.iso.date(),
      leads: z.int(),
      spend: moneySchema,
      returned: z.int(),
      refunded: moneySchema,
      attempted: z.int(),
      delivered: z.int(),
      balance: moneySchema,
    }),
  }),
  z.object({
    template: z.literal('consent_revoked'),
    /** `leads`: how many of the client's leads it is about; `due_on`: the tenth business day, `YYYY-MM-DD` */
    data: z.object({ revocation_id: z.uuid(), leads: z.int(), due_on: z.iso.date() }),
  }),
  z.object({
    template: z.literal('export_ready'),
    data: z.object({ export_id: z.uuid(), kind: exportKindSchema, rows: z.int(), expires_at: z.string() }),
  }),
] as const

export type ClientNotice = z.infer<(typeof clientNoticeSchemas)[number]>

/** The part of a mail about new leads that describes each one; it is read when the mail is sent, and kept nowhere. */
export interface MailedLead {
  id: string
  name: string | null
  phone: string | null
  email: string | null
  type: string | null
  state: string | null
}
