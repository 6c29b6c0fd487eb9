import { z } from 'zod'
import { accountIdSchema } from '../../accounts/account.ts'
import { clientSchema } from '../../accounts/named-client.ts'
import { ENTRY_TYPES, ledgerEntrySchema } from './ledger.ts'
import { moneySchema } from './money.ts'

const dateSchema = z.iso.date('Must be a date like 2026-11-29')

/** An entry of the ledger of all clients. */
export const movementSchema = ledgerEntrySchema.extend({ client: clientSchema })
export type Movement = z.infer<typeof movementSchema>

/** Filters of `GET /api/v1/admin/money/ledger`; days are whole days of the administration's time zone. */
export const movementFilterSchema = z.object({
  client: accountIdSchema.optional(),
  type: z.enum(ENTRY_TYPES).optional(),
  from: dateSchema.optional(),
  to: dateSchema.optional(),
})

/** The age of money on balances, in days; the last group is older. Money is spent oldest first. */
export const AGES = [30, 60, 90] as const

/** A balance by the age of its money; the four ages add up to it. Below zero it has no age. */
const agedSchema = z.object({
  balance: moneySchema,
  days_30: moneySchema,
  days_60: moneySchema,
  days_90: moneySchema,
  older: moneySchema,
})
export const agedBalanceSchema = agedSchema.extend({ client: clientSchema })
export type AgedBalance = z.infer<typeof agedBalanceSchema>

/** `GET /api/v1/admin/money/balances`. */
export const balancesSchema = z.object({
  as_of: z.iso.datetime(),
  /** what clients have paid and not spent: the liability */
  owed: agedSchema,
  /** how many clients have a balance above zero */
  creditors: z.int(),
  /** what clients below zero owe us, as a positive amount */
  owing: moneySchema,
  debtors: z.int(),
  /** the largest balances, debts last */
  data: z.array(agedBalanceSchema),
})
export type Balances = z.infer<typeof balancesSchema>

export const REVENUE_GROUPS = ['day', 'lead_type', 'state', 'client', 'source'] as const
export type RevenueGroup = (typeof REVENUE_GROUPS)[number]

/** Most days of one report. */
export const MOST_REVENUE_DAYS = 366

/** Query of the revenue: whole days of the administration's time zone, both included. */
export const revenueQuerySchema = z.object({
  by: z.enum(REVENUE_GROUPS).default('day'),
  from: dateSchema,
  to: dateSchema,
})

const figuresSchema = z.object({
  /** leads sold, and what they cost */
  sold: z.int(),
  sales: moneySchema,
  /** leads whose price was credited, and those credits */
  returned: z.int(),
  credits: moneySchema,
  /** sales less credits */
  revenue: moneySchema,
})

/** `GET /api/v1/admin/money/revenue`. */
export const revenueSchema = z.object({
  timezone: z.string(),
  by: z.enum(REVENUE_GROUPS),
  from: dateSchema,
  to: dateSchema,
  totals: figuresSchema,
  /** `key`: the day, code or id; null for leads without one */
  data: z.array(figuresSchema.extend({ key: z.string().nullable(), label: z.string() })),
})
export type Revenue = z.infer<typeof revenueSchema>
