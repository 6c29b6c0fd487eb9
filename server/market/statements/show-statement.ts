import type { Statement } from '#core/contract/market/money/statement.ts'
import type { Db } from '#core/data/database.ts'
import { readSettings } from '#core/data/market/marketplace-settings.ts'
import {
  findIssued,
  issueStatement,
  type IssuedStatement,
} from '#core/data/market/money/issued-statements.ts'
import { listMovements } from '#core/data/market/money/movements.ts'
import { findFirstEntry, findStatementClient, sumEntries } from '#core/data/market/money/statement.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { localMoment, nextMonth, whenDateBegins } from '#core/domain/market/local-moment.ts'
import { writeCsvRow } from '#core/domain/write-csv-row.ts'
import { noAccount } from '../show-account.ts'

const PIECE = 1000
/** An entry's time is that at which its transaction began; none runs longer. */
const LATE_MS = 15 * 60_000

/**
 * A month of a client's balance, in the account's time zone: what it was, what moved it, what it became.
 * A complete month is issued when it is first read: it has a number, and keeps its zone and seller.
 * @param month `YYYY-MM`; by default the current one
 * @throws AppError not_found for an account that is no client's
 */
export async function showStatement(
  db: Db,
  userId: string,
  { month: asked }: { month?: string | undefined },
  now: Date,
): Promise<Statement> {
  const client = await findStatementClient(db, userId)
  if (client === undefined) throw noAccount()
  const { timezone: zone, ...named } = client
  const monthOf = (at: Date): string => localMoment(zone, at).date.slice(0, 7)
  const month = asked ?? monthOf(now)
  const first = await findFirstEntry(db, userId)
  const first_month = first === undefined ? null : monthOf(first)
  const issued = await findOrIssue(db, { client: userId, month, zone, first_month }, now)
  const { timezone, seller_name, seller_address } = issued ?? { timezone: zone, ...(await readSettings(db)) }
  const span = spanOf(timezone, month)
  const { before, ...moved } = await sumEntries(db, userId, span)
  const opening = addUp(before)
  return {
    month,
    number: issued?.number ?? null,
    issued_at: issued?.issued_at.toISOString() ?? null,
    timezone,
    is_complete: span.ends <= now,
    first_month,
    client: named,
    seller: { name: seller_name, address: seller_address },
    ...moved,
    opening: formatCents(opening),
    closing: formatCents(opening + addUp(moved.sums.map(({ amount }) => amount))),
  }
}

/** The month's issued statement, which takes its number now if the month is complete and has no earlier entry to come. */
async function findOrIssue(
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
  if (spanOf(zone, month).ends.getTime() + LATE_MS > now.getTime()) return undefined
  const { seller_name, seller_address } = await readSettings(db)
  return await issueStatement(db, { client, month }, { timezone: zone, seller_name, seller_address })
}

/** A statement as CSV: the opening balance, each entry with the balance after it, the closing balance. */
export async function* writeStatement(db: Db, statement: Statement): AsyncGenerator<string> {
  const { client, number, timezone, month, opening, closing } = statement
  const span = spanOf(timezone, month)
  const filter = { client: client.user_id, ...span }
  yield writeCsvRow(['Date', 'Type', 'Amount', 'Balance', 'Lead', 'Note', 'Entry'])
  const name = number === null ? null : `Statement No. ${String(number).padStart(6, '0')}`
  yield writeCsvRow([span.begins.toISOString(), 'opening_balance', null, opening, null, name, null])
  let balance = requireCents(opening)
  let beyond: string | undefined
  for (;;) {
    const found = await listMovements(db, filter, { limit: PIECE, beyond, order: 'oldest' })
    const rows = found.map(({ created_at, entry_type, amount, lead_id, note, id }) => {
      balance += requireCents(amount)
      return writeCsvRow([created_at, entry_type, amount, formatCents(balance), lead_id, note, id])
    })
    if (rows.length > 0) yield rows.join('')
    if (found.length < PIECE) break
    beyond = found.at(-1)?.id
  }
  yield writeCsvRow([span.ends.toISOString(), 'closing_balance', null, closing, null, null, null])
}

function addUp(amounts: readonly string[]): number {
  return amounts.reduce((sum, amount) => sum + requireCents(amount), 0)
}

function spanOf(timezone: string, month: string): { begins: Date; ends: Date } {
  const first = `${month}-01`
  return { begins: whenDateBegins(timezone, first), ends: whenDateBegins(timezone, nextMonth(first)) }
}
