import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { postEntries } from '#core/data/market/ledger.ts'
import { approveReturn, insertReturn, lockLead, lockReturn } from '#core/data/market/settle-return.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import type { Database } from '#core/data/schema/tables.ts'

/** The number of times each action was done. */
export interface Disturbed {
  topUps: number
  pauses: number
  changes: number
  suspensions: number
  returns: number
}

/** Repeats the actions of clients and administrators, in parallel, until it is stopped. */
export async function disturbMarket(
  db: Kysely<Database>,
  { clients, orders }: { clients: readonly string[]; orders: readonly string[] },
  signal: AbortSignal,
): Promise<Disturbed> {
  const done = { topUps: 0, pauses: 0, changes: 0, suspensions: 0, returns: 0 }
  const pick = (all: readonly string[], round: number, step: number): string =>
    all[(round * step) % all.length] ?? ''

  async function again(apartMs: number, work: (round: number) => Promise<unknown>): Promise<void> {
    for (let round = 0; !signal.aborted; round += 1) {
      await repeatOnConflict(() => work(round))
      await sleep(apartMs)
    }
  }
  const works = [
    again(2, async (round) => {
      const entry = { client_user_id: pick(clients, round, 1), entry_type: 'top_up', amount: '50.00' }
      await postEntries(db, [{ ...entry, reference_id: randomUUID() }])
      done.topUps += 1
    }),
    again(3, async (round) => {
      await sql`
        update orders set paused_by = case when paused_by is null then 'client' end, version = version + 1, updated_at = now()
        where id = ${pick(orders, round, 7)}`.execute(db)
      done.pauses += 1
    }),
    again(3, async (round) => {
      await sql`
        update orders set daily_cap = ${5 + (round % 9)}, version = version + 1, updated_at = now(),
          schedule = case when schedule is null then '{"mon": []}'::jsonb end
        where id = ${pick(orders, round, 11)}`.execute(db)
      done.changes += 1
    }),
    again(7, async (round) => {
      await sql`update profiles set status = case status when 'active' then 'suspended' else 'active' end
        where user_id = ${pick(clients, round, 3)}`.execute(db)
      done.suspensions += 1
    }),
    again(5, async () => {
      if (await giveBack(db)) done.returns += 1
    }),
  ]
  await Promise.all(works)
  return done
}

/** Returns the newest sold lead without a return request, as an administrator's approval would. */
async function giveBack(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ lead_id: string; assignment_id: string; client: string }>`
    select a.lead_id, a.id as assignment_id, a.client_user_id as client from lead_assignments a
    where a.state = 'active' and a.order_id is not null and not exists (select from lead_returns r where r.assignment_id = a.id)
    order by a.assigned_at desc limit 1`.execute(db)
  const [lead] = rows
  if (lead === undefined) return false
  await db.transaction().execute(async (trx) => {
    await lockLead(trx, lead.lead_id)
    const reason = {
      reason: 'disconnected_number',
      note: null,
      asked_by: 'client',
      held_for_review: false,
    } as const
    const id = await insertReturn(trx, lead, reason)
    const request = await lockReturn(trx, { id })
    if (request === undefined) throw new Error('A return that was just asked for is not there')
    await approveReturn(trx, request, null, null)
  })
  return true
}
