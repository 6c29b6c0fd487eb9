import { z } from 'zod'
import { clientSchema } from '../../accounts/named-client.ts'
import { whenLeftOut } from '../../when-left-out.ts'
import { ENTRY_TYPES } from './ledger.ts'
import { moneySchema } from './money.ts'

/** A calendar month, `YYYY-MM`. */
export const monthSchema = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Must be a month like 2026-11')

/** A month of a client's balance, in the account's time zone. */
export const statementSchema = z.object({
  month: monthSchema,
  /** without gaps, taken when the complete month is first read; null until then */
  number: whenLeftOut(z.int().nullable(), null),
  issued_at: whenLeftOut(z.iso.datetime().nullable(), null),
  timezone: z.string(),
  /** false while the month has not ended */
  is_complete: z.boolean(),
  /** the month of the first entry; null without entries */
  first_month: monthSchema.nullable(),
  client: clientSchema,
  seller: z.object({ name: z.string(), address: z.string() }),
  opening: moneySchema,
  closing: moneySchema,
  /** what moved the balance, by kind */
  sums: z.array(z.object({ entry_type: z.enum(ENTRY_TYPES), count: z.int(), amount: moneySchema })),
  receipts: z.array(
    z.object({
      payment_id: z.uuid(),
      receipt_number: z.int(),
      received_at: z.iso.datetime(),
      method: z.enum(['request', 'checkout']),
      amount: moneySchema,
    }),
  ),
})
export type Statement = z.infer<typeof statementSchema>

/** Query of a statement; without a month, the current one. */
export const statementQuerySchema = z.object({ month: monthSchema.optional() })
