import { sql } from 'kysely'
import { CLIENT_EVENTS, type EventType } from '#core/contract/events.ts'
import type { ReturnRequest } from '#core/contract/market/lead-return.ts'
import type { Db } from '../database.ts'
import { writeClientEvents } from '../outbox/write-client-events.ts'
import { cancelDeliveries } from '../webhooks/deliveries/cancel-deliveries.ts'
import { CANCEL_BATCH } from '../webhooks/deliveries/offered-deliveries.ts'
import { restOfPrice } from './late/rest-of-price.ts'
import { hasArrived, isLeaving } from './sale/arrived-leads.ts'

/** Every change of a lead's return takes the lock of the lead, in the caller's transaction. */
export async function lockLead(trx: Db, leadId: string): Promise<void> {
  await sql`select from leads where id = ${leadId} for no key update`.execute(trx)
}

/**
 * Locks resends to this client: nothing new is sent to it until the transaction ends. This lock comes after leads and
 * events, before deliveries (docs/decisions/0005).
 */
export async function lockWebhooks(trx: Db, client: string): Promise<void> {
  await sql`
    select from client_webhook_configs where client_user_id = ${client} order by id for no key update`.execute(
    trx,
  )
}

/** A request, read under the lock of its lead. */
export interface LockedReturn {
  id: string
  reason: string
  lead_id: string
  client_user_id: string
  assignment_id: string
  status: string
  /** the administrator who decided it; null if nobody has, or that account is gone */
  decider: string | null
  /** what a return pays back */
  price: string
  is_held: boolean
  is_client_erased: boolean
}

/**
 * Locks the lead of a request.
 * @param which an id, or the last request of a client for a lead
 */
export async function lockReturn(
  trx: Db,
  which: { id: string } | { lead_id: string; client: string },
): Promise<LockedReturn | undefined> {
  const named = await sql<{ id: string; lead_id: string }>`
    select id, lead_id from lead_returns
    where ${'id' in which ? sql`id = ${which.id}` : sql`lead_id = ${which.lead_id} and client_user_id = ${which.client}`}
    order by created_at desc limit 1`.execute(trx)
  const found = named.rows[0]
  if (found === undefined) return undefined
  await lockLead(trx, found.lead_id)
  // A separate statement, so that it sees the commit of the previous holder of the lock.
  const { rows } = await sql<LockedReturn>`
    select r.id, r.reason, r.lead_id, r.client_user_id, r.assignment_id, r.status, d.email::text as decider, ${restOfPrice('a')} as price,
      a.state = 'active' as is_held, u.deleted_at is not null as is_client_erased
    from lead_returns r join lead_assignments a on a.id = r.assignment_id
    left join profiles d on d.user_id = r.decided_by left join auth.users u on u.id = r.client_user_id
    where r.id = ${found.id}`.execute(trx)
  return rows[0]
}

/** Whether the client of an assignment still has the lead, and is erased. To be asked under the lock of the lead. */
export async function readHolding(
  trx: Db,
  assignmentId: string,
): Promise<{ is_held: boolean; is_client_erased: boolean } | undefined> {
  const { rows } = await sql<{ is_held: boolean; is_client_erased: boolean }>`
    select a.state = 'active' as is_held, u.deleted_at is not null as is_client_erased
    from lead_assignments a left join auth.users u on u.id = a.client_user_id where a.id = ${assignmentId}`.execute(
    trx,
  )
  return rows[0]
}

/**
 * Writes a request, under the lock of the lead.
 * @returns the request's id
 */
export async function insertReturn(
  trx: Db,
  lead: { lead_id: string; assignment_id: string; client: string },
  asked: Pick<ReturnRequest, 'note'> & {
    reason: string
    asked_by: 'client' | 'admin' | 'system'
    held_for_review: boolean
  },
): Promise<string> {
  const { id } = await trx
    .insertInto('lead_returns')
    .values({
      assignment_id: lead.assignment_id,
      lead_id: lead.lead_id,
      client_user_id: lead.client,
      ...asked,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // If it is decided in the same moment, only the decision goes on the timeline.
  if (asked.asked_by === 'client' || asked.held_for_review)
    await tell(trx, 'lead.return_requested', { ...lead, id, client_user_id: lead.client }, asked.reason)
  return id
}

/** Ends a request without a credit, under the lock of its lead. */
export async function closeReturn(
  trx: Db,
  request: LockedReturn,
  end: { status: 'denied' | 'withdrawn'; by: string | null; note: string | null },
): Promise<void> {
  await decide(trx, request, end)
  await tell(trx, end.status === 'denied' ? 'lead.return_denied' : 'lead.return_withdrawn', request)
}

/**
 * Takes the lead back from its client and credits the price, or the rest of it after a late credit, under the lock of
 * the lead. The request, the assignment,
 * the lead's status and the ledger change in one transaction, and nothing more of the lead is sent to the client. The
 * lead still counts towards the order's caps, because they protect the client's time. A lead whose person was erased
 * stays erased.
 * @param by the administrator; null for the system
 * @param state the assignment's new state: `revoked` if the lead goes on to others
 */
export async function approveReturn(
  trx: Db,
  request: LockedReturn,
  by: string | null,
  note: string | null,
  state: 'returned' | 'revoked' = 'returned',
): Promise<void> {
  await decide(trx, request, { status: 'approved', by, note })
  await sql`
    update lead_assignments a set state = ${state}, member_user_id = l.member_user_id
    from leads l where a.id = ${request.assignment_id} and l.id = a.lead_id`.execute(trx)
  await sql`
    update leads set status = case when redacted_at is null then 'returned' else status end, member_user_id = null,
      updated_at = now()
    where id = ${request.lead_id} and (redacted_at is null or member_user_id is not null)`.execute(trx)
  await stopSending(trx, request, by)
  await tellReturned(trx, request)
  if (Number(request.price) <= 0) return
  // This comes last, because it locks the balance.
  await trx
    .insertInto('balance_ledger')
    .values({
      client_user_id: request.client_user_id,
      entry_type: 'lead_return',
      amount: request.price,
      reference_type: 'return',
      reference_id: request.id,
      created_by: by,
    })
    .execute()
}

/** Stops sending the lead to this client until the transaction ends, under the lock of the lead. */
export async function stopSending(
  trx: Db,
  { lead_id, client_user_id: client }: Pick<LockedReturn, 'lead_id' | 'client_user_id'>,
  by: string | null,
): Promise<void> {
  // Events are locked before deliveries, in the order of planning. So deliveries that are being planned right now are
  // found below, and cancelled.
  await sql`
    update events set enqueued_at = coalesce(enqueued_at, now()), planned_at = coalesce(planned_at, now())
    where lead_id = ${lead_id} and client_user_id = ${client} and (enqueued_at is null or planned_at is null)
      and type <> all(${[...CLIENT_EVENTS]}::text[])`.execute(trx)
  await lockWebhooks(trx, client)
  for (let cancelled = CANCEL_BATCH; cancelled === CANCEL_BATCH;)
    cancelled = (await cancelDeliveries(trx, client, { lead_id }, by)).length
}

/** Whether the client has the lead after all, or is being sent it now. To be asked after {@link stopSending}. */
export async function readArrival(
  trx: Db,
  { lead_id, client_user_id: client }: Pick<LockedReturn, 'lead_id' | 'client_user_id'>,
): Promise<{ is_delivered: boolean; is_sending: boolean }> {
  const of = [sql`${lead_id}::uuid`, sql`${client}::uuid`] as const
  const { rows } = await sql<{ is_delivered: boolean; is_sending: boolean }>`
    select ${hasArrived(...of)} as is_delivered, ${isLeaving(...of)} as is_sending`.execute(trx)
  return rows[0] ?? { is_delivered: false, is_sending: false }
}

async function decide(
  trx: Db,
  { id }: LockedReturn,
  end: { status: 'approved' | 'denied' | 'withdrawn'; by: string | null; note: string | null },
): Promise<void> {
  await trx
    .updateTable('lead_returns')
    .set({ status: end.status, decided_by: end.by, decided_at: sql<Date>`now()`, decision_note: end.note })
    .where('id', '=', id)
    .execute()
}

async function tellReturned(
  trx: Db,
  { id, lead_id, client_user_id, reason, price }: LockedReturn,
): Promise<void> {
  const data = { return_id: id, reason, credited: Math.max(0, Number(price)) }
  await writeClientEvents(trx, [{ type: 'lead.returned', client_user_id, lead_id, data }])
}

/** Writes an event that only the timeline shows. */
async function tell(
  trx: Db,
  type: EventType,
  about: { id: string; lead_id: string; client_user_id: string },
  reason?: string,
): Promise<void> {
  const data = { return_id: about.id, ...(reason === undefined ? {} : { reason }) }
  await sql`
    insert into events (type, lead_id, client_user_id, data, enqueued_at, planned_at)
    values (${type}, ${about.lead_id}, ${about.client_user_id}, ${JSON.stringify(data)}::jsonb, now(), now())`.execute(
    trx,
  )
}
