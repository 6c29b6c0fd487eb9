import type { Db } from '#core/data/database.ts'
import { readSettings } from '#core/data/market/marketplace-settings.ts'
import {
  findIssued,
  issueStatement,
  type IssuedStatement,
} from '#core/data/market/money/issued-statements.ts'
import { requireCents } from '#core/domain/market/cents.ts'
import { nextMonth, whenDateBegins } from '#core/domain/market/local-moment.ts'

/** An entry's time is that at which its transaction began; none runs longer. */
const LATE_MS = 15 * 60_000

/**
 * The month's issued statement, which takes its number now if the month is complete and has no earlier entry to come.
 * @param of.first_month the month of the client's first entry; null without entries
 * @returns undefined while there is none
 */
export async function findOrIssueStatement(
  db: Db,
  {
    client,
    month,
    zone,
    first_month,
  }: { client: string; month: string; zone: string; first_month: string | null },
  now: Date,
): Promise<IssuedStatement | undefined> {
  const known = await findIssued(db, { client, month })
  if (known !== undefined || first_month === null || month < first_month) return known
  if (spanOfMonth(zone, month).ends.getTime() + LATE_MS > now.getTime()) return undefined
  const { seller_name, seller_address } = await readSettings(db)
  return await issueStatement(db, { client, month }, { timezone: zone, seller_name, seller_address })
}

/** The beginning and the end of a month (`YYYY-MM`) in a time zone. */
export function spanOfMonth(timezone: string, month: string): { begins: Date; ends: Date } {
  const first = `${month}-01`
  return { begins: whenDateBegins(timezone, first), ends: whenDateBegins(timezone, nextMonth(first)) }
}

/** The sum of amounts, in cents. */
export function sumOf(amounts: readonly string[]): number {
  return amounts.reduce((sum, amount) => sum + requireCents(amount), 0)
}
