import { sql, type Kysely } from 'kysely'
import { DELIVERY_FAILED } from '#core/contract/market/lead-return.ts'
import { offerTakenBack } from '#core/data/market/sale/undelivered-leads.ts'
import { approveReturn, insertReturn, lockReturn } from '#core/data/market/settle-return.ts'
import type { Database } from '#core/data/schema/tables.ts'

/** Returns a lead's state and the events of its timeline. */
export async function readOffered(db: Kysely<Database>, id: string | undefined) {
  const { rows } = await sql<Record<string, unknown>>`
    select l.status, l.assigned_to, l.order_id, l.price_charged::text as price, l.duplicate_of, l.reject_reason,
      d.outcome, d.reason, d.refused, d.tries, extract(epoch from l.expires_at - l.created_at) / 3600 as held,
      (select array_agg(e.type || coalesce(' ' || (e.data ->> 'reason'), '') || case when e.planned_at is null then ' waits' else '' end
        order by e.created_at, e.id) from events e where e.lead_id = l.id) as told
    from leads l left join assignment_decisions d on d.lead_id = l.id where l.id = ${id}`.execute(db)
  return rows[0] ?? {}
}

/** Takes a lead back as undeliverable: credits it and offers it to others. */
export async function takeBack(
  db: Kysely<Database>,
  lead: string,
  { assignment_id, client }: { assignment_id: string; client: string },
): Promise<void> {
  const asked = { reason: DELIVERY_FAILED, note: null, asked_by: 'system', held_for_review: false } as const
  await db.transaction().execute(async (trx) => {
    const id = await insertReturn(trx, { lead_id: lead, assignment_id, client }, asked)
    const request = await lockReturn(trx, { id })
    if (request !== undefined) await approveReturn(trx, request, null, null, 'revoked')
    await offerTakenBack(trx, lead, 24, DELIVERY_FAILED)
  })
}
