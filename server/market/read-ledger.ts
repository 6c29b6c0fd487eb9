import { z } from 'zod'
import type { Balance, LedgerEntry } from '#core/contract/market/money/ledger.ts'
import { scheduleSchema } from '#core/contract/market/schedule.ts'
import type { Db } from '#core/data/database.ts'
import { readBalance } from '#core/data/market/balance.ts'
import { listEntries } from '#core/data/market/ledger.ts'
import { readSettings } from '#core/data/market/marketplace-settings.ts'
import { listPending } from '#core/data/market/payments/payments.ts'
import { requireCents } from '#core/domain/market/cents.ts'
import { countDaysLeft } from '#core/domain/market/count-days-left.ts'
import { judgeFunding } from '#core/domain/market/judge-funding.ts'
import { readStored } from '#core/read-stored.ts'
import { readLedgerRows } from '#core/use-cases/exports/read-export-rows.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import { noAccount } from './show-account.ts'

const LAST_ID = 9_223_372_036_854_775_807n

const hoursSchema = z.array(z.object({ timezone: z.string(), schedule: scheduleSchema.nullable() }))

/** @throws AppError not_found for an account that is no client's */
export async function showBalance(
  { db, paymentProvider }: Pick<ServerContext, 'db' | 'paymentProvider'>,
  userId: string,
): Promise<Balance> {
  const stored = await readBalance(db, userId)
  if (stored === undefined) throw noAccount()
  const balance = requireCents(stored.balance)
  const { bank_details } = await readSettings(db)
  return {
    balance: stored.balance,
    funding: judgeFunding({
      balance,
      threshold: requireCents(stored.low_balance_threshold),
      cheapest: stored.cheapest === null ? null : requireCents(stored.cheapest),
    }),
    begun: stored.begun,
    spent_today: stored.spent_today,
    spent_this_month: stored.spent_this_month,
    days_left: countDaysLeft(
      {
        balance,
        spent: requireCents(stored.spent_recently),
        days: stored.days,
        hours: readStored(hoursSchema, stored.hours, 'the hours of a client’s orders'),
      },
      new Date(),
    ),
    pending: await listPending(db, userId),
    payment_method: paymentProvider === undefined ? 'request' : 'checkout',
    bank_details: paymentProvider === undefined && bank_details !== '' ? bank_details : null,
  }
}

/**
 * A page of the ledger, newest first. The cursor is the id of the last entry shown.
 * @throws AppError for a cursor that no page has returned
 */
export async function showLedger(
  db: Db,
  userId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ data: LedgerEntry[]; next_cursor: string | null }> {
  const before = readEntryCursor(cursor)
  const entries = await listEntries(db, userId, { limit: limit + 1, before })
  const data = entries.slice(0, limit)
  const last = data.at(-1)
  const isMore = entries.length > limit && last !== undefined
  return { data, next_cursor: isMore ? writeEntryCursor(last.id) : null }
}

/** The cursor of a list of entries is the id of the last entry shown. @throws AppError for any other text */
export function readEntryCursor(cursor: string | undefined): string | undefined {
  const before = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString()
  if (before === undefined || (/^[1-9]\d{0,18}$/.test(before) && BigInt(before) <= LAST_ID)) return before
  const errors = [{ path: 'cursor', message: 'Use the next_cursor of the page before' }]
  throw new AppError('validation_failed', 'The cursor is not valid.', { errors })
}

export function writeEntryCursor(id: string): string {
  return Buffer.from(id).toString('base64url')
}

/** The whole ledger as a CSV file, newest first, read at the reader's speed. */
export async function* writeLedger(db: Db, userId: string): AsyncGenerator<string> {
  for await (const { text } of readLedgerRows(db, userId)) yield text
}
