import { sql } from 'kysely'
import type { Db } from '../../database.ts'
import { within } from './movements.ts'

/**
 * Adds up what an administrator moved at one client's balance without a second person: adjustments and pay-outs, both
 * ways, and what payments were received above what was asked for or reported. Until the transaction ends, the same
 * administrator moves nothing else there.
 * @returns dollars
 */
export async function sumRecentAdjustments(
  trx: Db,
  { by, client, hours }: { by: string; client: string; hours: number },
): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended('adjustments ' || ${by} || ' ' || ${client}, 0))`.execute(
    trx,
  )
  const begins = new Date(Date.now() - hours * 3_600_000)
  const { rows } = await sql<{ sum: string }>`
    select (
      coalesce((select sum(abs(e.amount)) from balance_ledger e
        where e.client_user_id = ${client} and e.created_by = ${by} and ${await within(trx, { begins })}
          and e.idempotency_key like 'adjustment:%'
          and not exists (select from pending_adjustments a where e.idempotency_key = 'adjustment:' || a.id::text)), 0)
      + coalesce((select sum(p.amount - greatest(p.asked_amount, p.told_amount)) from payments p
        where p.client_user_id = ${client} and p.decided_by = ${by} and p.status = 'received'
          and p.decided_at >= ${begins} and p.amount > greatest(p.asked_amount, p.told_amount)), 0)
    )::numeric(14, 2)::text as sum`.execute(trx)
  return rows[0]?.sum ?? '0.00'
}
