import type { Statement } from '#core/contract/market/money/statement.ts'
import type { Db } from '#core/data/database.ts'
import { readSettings } from '#core/data/market/marketplace-settings.ts'
import { listMovements } from '#core/data/market/money/movements.ts'
import { findFirstEntry, findStatementClient, sumEntries } from '#core/data/market/money/statement.ts'
import { formatCents, requireCents } from '#core/domain/market/cents.ts'
import { localMoment } from '#core/domain/market/local-moment.ts'
import { findOrIssueStatement, spanOfMonth, sumOf } from '#core/use-cases/market/money/issue-statement.ts'
import { writeCsvRow } from '#core/domain/write-csv-row.ts'
import { noAccount } from '../show-account.ts'

const PIECE = 1000

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
  const issued = await findOrIssueStatement(db, { client: userId, month, zone, first_month }, now)
  const { timezone, seller_name, seller_address } = issued ?? { timezone: zone, ...(await readSettings(db)) }
  const span = spanOfMonth(timezone, month)
  const { before, ...moved } = await sumEntries(db, userId, span)
  const opening = sumOf(before)
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
    closing: formatCents(opening + sumOf(moved.sums.map(({ amount }) => amount))),
  }
}

/** A statement as CSV: the opening balance, each entry with the balance after it, the closing balance. */
export async function* writeStatement(db: Db, statement: Statement): AsyncGenerator<string> {
  const { client, number, timezone, month, opening, closing } = statement
  const span = spanOfMonth(timezone, month)
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
