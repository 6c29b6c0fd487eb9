import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { now } from '../../lab/now.ts'
import type { BenchContext } from '../services.ts'
import type { Listener } from './make-listeners.ts'

/** Leads by their ids, and when each was committed. */
export type Committed = Map<string, number>

/** Stores leads at fixed moments, each in its own transaction, for accounts in turns. */
export async function writeChanges(
  { db }: BenchContext,
  listeners: readonly Listener[],
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Committed> {
  const committed: Committed = new Map()
  const began = now()
  const writes: Promise<void>[] = []
  const write = async (account: string): Promise<void> => {
    const { rows } = await sql<{ lead_id: string }>`
      with lead as (
        insert into leads (user_id, name, email, phone, state, lead_type)
        values (${account}, 'Avery Example', 'avery@example.com', '+15125550143', 'TX', 'final_expense') returning id
      )
      insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
      select 'lead.created', id, ${account}, now(), now() from lead returning lead_id`.execute(db)
    for (const { lead_id } of rows) committed.set(lead_id, now())
  }
  for (let index = 0; index < rate * seconds; index += 1) {
    const early = began + (index * 1000) / rate - now()
    if (early > 0) await sleep(early)
    writes.push(write(listeners[index % listeners.length]?.account ?? ''))
  }
  await Promise.all(writes)
  return committed
}
