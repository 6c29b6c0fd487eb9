import { sql } from 'kysely'
import type { LeadStatus } from '#core/contract/leads/lead.ts'
import type { Db } from '../../database.ts'

/** Reads what decides whether a lead may be moved or offered again. The caller holds its lock. */
export interface MovableLead {
  status: LeadStatus
  lead_type: string
  is_test: boolean
  is_erased: boolean
  /** the client that its source names */
  owner: string | null
  is_withdrawn: boolean
  /** whether its person took the consent back */
  is_revoked: boolean
  holder: { assignment_id: string; client_user_id: string; order_id: string | null } | null
}

export async function readMovable(trx: Db, leadId: string): Promise<MovableLead | undefined> {
  const { rows } = await sql<MovableLead>`
    select l.status, l.lead_type, l.is_test, l.redacted_at is not null as is_erased, l.user_id as owner,
      coalesce((select s.stopped_at is not null from sources s where s.id = l.source_id), false) as is_withdrawn,
      l.consent_revoked_at is not null as is_revoked,
      (select jsonb_build_object('assignment_id', a.id, 'client_user_id', a.client_user_id, 'order_id', a.order_id)
        from lead_assignments a where a.lead_id = l.id and a.state = 'active') as holder
    from leads l where l.id = ${leadId}`.execute(trx)
  return rows[0]
}

/**
 * Puts a lead that nobody holds up for sale, under its lock. A client that gave it back keeps reading that it is
 * returned, and nothing of what follows.
 * @param hours for which it is offered, from now
 */
export async function putUpForSale(trx: Db, leadId: string, hours: number): Promise<void> {
  await sql`
    update lead_assignments set state = 'revoked' where lead_id = ${leadId} and state = 'returned'`.execute(
    trx,
  )
  await sql`
    update leads set status = 'unassigned', assigned_to = null, assigned_at = null, member_user_id = null, order_id = null,
      price_charged = null, duplicate_of = null, reject_reason = null, expires_at = now() + make_interval(hours => ${hours}), updated_at = now()
    where id = ${leadId}`.execute(trx)
}

/** Writes the event by which a worker offers the lead. @returns its id */
export async function writeOffer(trx: Db, leadId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into events (type, lead_id) values ('lead.offered', ${leadId}) returning id`.execute(trx)
  const [event] = rows
  if (event === undefined) throw new Error('PostgreSQL kept no event')
  return event.id
}

/** The type of an order that exists, and its client. */
export async function findOrderToFill(
  db: Db,
  orderId: string,
): Promise<{ lead_type: string; name: string; client_user_id: string } | undefined> {
  return await db
    .selectFrom('orders')
    .select(['lead_type', 'name', 'client_user_id'])
    .where('id', '=', orderId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Why the last decision about a lead sold it to nobody, and what its sale cost. */
export async function readSaleOutcome(
  trx: Db,
  leadId: string,
): Promise<{ reason: string | null; price: string | null } | undefined> {
  const { rows } = await sql<{ reason: string | null; price: string | null }>`
    select d.reason, l.price_charged as price from assignment_decisions d join leads l on l.id = d.lead_id
    where d.lead_id = ${leadId}`.execute(trx)
  return rows[0]
}
