import { sql } from 'kysely'
import type { LateReason, UnclearLead } from '#core/contract/market/late-lead.ts'
import { namedClient } from '../../accounts/named-client.ts'
import type { Db } from '../../database.ts'

interface StoredUnclear {
  id: string
  lead_id: string
  client: UnclearLead['client']
  received_at: Date
  sold_at: Date
  begun_at: Date
  ours_ms: number
  reason: LateReason | null
  amount: string
}

/** The late leads that wait for an administrator's decision, newest first. */
export async function listUnclear(db: Db, limit: number): Promise<UnclearLead[]> {
  const { rows } = await sql<StoredUnclear>`
    select k.assignment_id as id, k.lead_id, ${namedClient(sql`k.client_user_id`)} as client, k.received_at, k.sold_at, k.begun_at,
      k.ours_ms::float8 as ours_ms, k.reason, k.price as amount
    from late_leads k where k.credit = 'unclear' order by k.judged_at desc limit ${limit}`.execute(db)
  return rows.map((row) => ({
    ...row,
    received_at: row.received_at.toISOString(),
    sold_at: row.sold_at.toISOString(),
    begun_at: row.begun_at.toISOString(),
  }))
}

/** An unclear late lead, locked until the end of the transaction; undefined if there is none, or it was decided. */
export async function lockUnclear(
  trx: Db,
  assignmentId: string,
): Promise<{ lead_id: string; client_user_id: string; price: string } | undefined> {
  return await trx
    .selectFrom('late_leads')
    .select(['lead_id', 'client_user_id', 'price'])
    .where('assignment_id', '=', assignmentId)
    .where('credit', '=', 'unclear')
    .forUpdate()
    .executeTakeFirst()
}

/** Decides an unclear late lead: it then waits for its credit like any other, or gets none. */
export async function decideUnclear(
  trx: Db,
  assignmentId: string,
  { isCredited, by }: { isCredited: boolean; by: string },
): Promise<void> {
  await sql`
    update late_leads set decided_by = ${by}, credit = ${isCredited ? 'waiting' : 'none'},
      reason = ${isCredited ? null : 'dismissed'}, wait_until = ${isCredited ? sql`now()` : null}
    where assignment_id = ${assignmentId}`.execute(trx)
}
