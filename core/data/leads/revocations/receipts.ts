import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database.ts'

/**
 * SQL on a holder `h`: an active webhook of the client has chosen the event. A person's own webhook counts only for that
 * person's leads.
 */
export const HAS_WEBHOOK: RawBuilder<boolean> = sql<boolean>`exists (
  select from client_webhook_configs c
  where c.client_user_id = h.client_user_id and c.is_active and 'lead.consent_revoked' = any (c.events)
    and (c.member_user_id is null or c.member_user_id = h.member_user_id))`

/** SQL on a holder `h`: a receipt is missing, and somebody can still give it. Nobody can for an erased account. */
export const IS_OPEN: RawBuilder<boolean> = sql<boolean>`(h.acknowledged_at is null and not exists (
  select from auth.users erased where erased.id = h.client_user_id and erased.deleted_at is not null))`

/**
 * SQL on a holder `h`: no webhook will answer for it. None has chosen the event, all of its deliveries have ended without
 * a 2xx, or a day has passed without one.
 */
const IS_LEFT_TO_PEOPLE = sql<boolean>`(h.created_at < now() - interval '1 day' or not ${HAS_WEBHOOK} or (
  exists (select from webhook_deliveries d where d.event_id = h.event_id)
    and not exists (select from webhook_deliveries d where d.event_id = h.event_id
      and case d.state when 'failed' then false when 'cancelled' then false else true end)))`

/** A client that is to be told of a revocation by mail. */
export interface MailToHolder {
  revocation_id: string
  client_user_id: string
  leads: number
  /** `YYYY-MM-DD` */
  due_on: string
}

/** The holders of one revocation, or some by their ids. */
export type ChosenHolders = { revocation_id: string } | { holders: readonly string[] }

/** Takes the holders that no webhook answers for and that got no mail yet, and notes that they get one. */
export async function takeHoldersToMail(trx: Db, of: ChosenHolders): Promise<MailToHolder[]> {
  const isAsked =
    'holders' in of ? sql`h.id = any(${[...of.holders]}::uuid[])` : sql`h.revocation_id = ${of.revocation_id}`
  const { rows } = await sql<MailToHolder>`
    with taken as (
      update revocation_holders set mailed_at = now() where id in (
        select h.id from revocation_holders h
        where ${IS_OPEN} and h.mailed_at is null and ${isAsked} and ${IS_LEFT_TO_PEOPLE}
        order by h.id limit 10000 for update skip locked)
      returning revocation_id, client_user_id
    )
    select t.revocation_id, t.client_user_id, count(*)::int as leads, to_char(r.due_on, 'YYYY-MM-DD') as due_on
    from taken t join revocations r on r.id = t.revocation_id group by t.revocation_id, t.client_user_id, r.due_on
    order by t.client_user_id, t.revocation_id`.execute(trx)
  return rows
}

/**
 * Locks open holders that are to be looked at: new ones, those of which a delivery has ended since the last look (a
 * trigger of deliveries notes that), and now and then those that got no mail yet. All others cost nothing.
 */
export async function lockHoldersToLookAt(trx: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from revocation_holders where acknowledged_at is null and look_at <= now() order by look_at
    limit ${most} for update skip locked`.execute(trx)
  return rows.map(({ id }) => id)
}

/**
 * Notes a webhook's 2xx as the receipt of its holder, with the time of that answer. Deliveries are removed by their age,
 * receipts stay. It is a statement after {@link lockHoldersToLookAt}, so that it sees every delivery that was noted there.
 */
export async function noteReceipts(trx: Db, holders: readonly string[]): Promise<void> {
  await sql`
    with answered as (
      select h.id, d.finished_at, d.webhook_name from revocation_holders h cross join lateral (
        select d.finished_at, c.webhook_name from webhook_deliveries d join client_webhook_configs c on c.id = d.webhook_config_id
        where d.event_id = h.event_id and case d.state when 'delivered' then true else false end
        order by d.finished_at limit 1) d
      where h.id = any(${[...holders]}::uuid[]) and h.acknowledged_at is null
    )
    update revocation_holders h set acknowledged_at = a.finished_at, acknowledged_by = 'webhook', webhook_name = a.webhook_name
    from answered a where a.id = h.id`.execute(trx)
}

/** A holder without a mail may need one without a delivery that ends: a webhook is switched off, or a day passes. */
const LOOK_AGAIN = sql.lit('5 minutes')

/** Ends a look: the next one follows the end of a delivery, or some time without a mail. */
export async function letHoldersRest(trx: Db, holders: readonly string[]): Promise<void> {
  await sql`
    update revocation_holders h
    set look_at = case when h.mailed_at is null and ${IS_OPEN} then now() + ${LOOK_AGAIN}::interval end
    where h.id = any(${[...holders]}::uuid[]) and h.acknowledged_at is null`.execute(trx)
}

/** The client and, for an agent, the person whose leads count. */
export interface Acknowledger {
  user_id: string
  person_id: string
  member_user_id?: string | undefined
}

/** Notes that a person of the client read it. A repeat changes nothing. @returns whether the client was told of this lead */
export async function acknowledge(db: Db, by: Acknowledger, leadId: string): Promise<boolean> {
  const isTheirs = by.member_user_id === undefined ? sql`true` : sql`member_user_id = ${by.member_user_id}`
  const { rows } = await sql`
    update revocation_holders set acknowledged_at = coalesce(acknowledged_at, now()),
      acknowledged_by = coalesce(acknowledged_by, 'person'),
      acknowledged_user_id = case when acknowledged_at is null then ${by.person_id}::uuid else acknowledged_user_id end
    where lead_id = ${leadId} and client_user_id = ${by.user_id} and ${isTheirs} returning id`.execute(db)
  return rows.length > 0
}
