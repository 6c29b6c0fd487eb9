import { listUntoldStatements, type UntoldStatement } from '#core/data/market/notices/untold-statements.ts'
import { sumEntries } from '#core/data/market/money/statement.ts'
import { noteToldEvent } from '#core/data/outbox/told-events.ts'
import { writeClientEvents } from '#core/data/outbox/write-client-events.ts'
import { findOrIssueStatement, spanOfMonth, sumOf } from '#core/use-cases/market/money/issue-statement.ts'
import type { WorkerContext } from '#worker/context.ts'

/**
 * Tells webhooks that chose so that a month of the balance is complete, once for each month. The statement is issued
 * for that, as if it had been read.
 * @param at a moment in place of the clock
 */
export async function tellStatements(
  { db }: Pick<WorkerContext, 'db'>,
  signal: AbortSignal,
  at?: Date,
): Promise<void> {
  for (const untold of await listUntoldStatements(db, at)) {
    await tell(db, untold, at ?? new Date())
    if (signal.aborted) return
  }
}

async function tell(
  db: WorkerContext['db'],
  { client_user_id, timezone: zone, month }: UntoldStatement,
  now: Date,
): Promise<void> {
  const of = { client: client_user_id, month, zone, first_month: month }
  const issued = await findOrIssueStatement(db, of, now)
  if (issued === undefined) return
  const { before, sums } = await sumEntries(db, client_user_id, spanOfMonth(issued.timezone, month))
  const opening = sumOf(before)
  const closing = opening + sumOf(sums.map(({ amount }) => amount))
  const about = { client_user_id, type: 'statement.ready' } as const
  const data = { month, number: issued.number, opening: opening / 100, closing: closing / 100 }
  await db.transaction().execute(async (trx) => {
    if (!(await noteToldEvent(trx, { ...about, key: month }))) return
    await writeClientEvents(trx, [{ ...about, subject: { type: 'account', id: client_user_id }, data }])
  })
}
