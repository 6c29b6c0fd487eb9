import { sql, type Insertable } from 'kysely'
import type { AdminSecurityEvent, SecurityEventFilter } from '#core/contract/accounts/admin-people.ts'
import type { KeptSecurityEvent } from '#core/contract/accounts/audit.ts'
import { MOST_SECURITY_EVENTS } from '#core/contract/accounts/security-event.ts'
import type { SecurityEventsTable } from '#core/data/schema/account-tables.ts'
import type { Db } from '#core/data/database.ts'
import { POSITION_FORMAT, type PagePosition } from '#core/data/page.ts'

/** The holder of events: an account, or an address from which nobody is signed in. */
export interface EventHolder {
  user_id: string | null
  ip: string
}

const OLDEST_OF_NOBODY = sql`interval '30 days'`

/**
 * Keeps an event, unless it is already stored. Deletes the holder's oldest events past {@link
 * MOST_SECURITY_EVENTS}.
 * @returns whether it was new
 */
export async function keepSecurityEvent(
  db: Db,
  event: Insertable<SecurityEventsTable> & { ip: string },
): Promise<boolean> {
  const kept = await db
    .insertInto('auth.security_events')
    .values(event)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (kept === undefined) return false
  const isHolders = ofHolder({ user_id: event.user_id ?? null, ip: event.ip })
  await sql`
    delete from auth.security_events where id in (
      select id from auth.security_events where ${isHolders}
      order by received_at desc, id desc offset ${MOST_SECURITY_EVENTS})`.execute(db)
  if (event.user_id === null) await forgetOldOfNobody(db)
  return true
}

/** SQL that is true for the holder's rows of `auth.security_events` and of `auth.audit_log`. */
export function ofHolder(holder: EventHolder) {
  return holder.user_id === null
    ? sql<boolean>`user_id is null and ip = ${holder.ip}::inet`
    : sql<boolean>`user_id = ${holder.user_id}::uuid`
}

/** A page of an account's events, newest first; one row more than `limit` if there is another page. */
export async function listSecurityEvents(
  db: Db,
  userId: string,
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<Array<KeptSecurityEvent & { position: string }>> {
  const rows = await selectEvents(db)
    .where('e.user_id', '=', userId)
    .$if(after !== undefined, (query) => query.where(isAfter(after)))
    .limit(limit + 1)
    .execute()
  return rows.map(({ user_id: _user, email: _email, ...row }) => describeEvent(row))
}

/** A page of the events of all accounts, newest first; one row more than `limit` if there is another page. */
export async function listAllSecurityEvents(
  db: Db,
  filter: SecurityEventFilter,
  { limit, after }: { limit: number; after: PagePosition | undefined },
): Promise<Array<AdminSecurityEvent & { position: string }>> {
  const { user_id: user, severity, type } = filter
  const rows = await selectEvents(db)
    .$if(user !== undefined, (query) => query.where('e.user_id', '=', user ?? null))
    .$if(severity !== undefined, (query) => query.where('e.severity', '=', severity ?? 'low'))
    .$if(type !== undefined, (query) => query.where('e.type', '=', type ?? ''))
    .$if(after !== undefined, (query) => query.where(isAfter(after)))
    .limit(limit + 1)
    .execute()
  return rows.map(describeEvent)
}

function isAfter(after: PagePosition | undefined) {
  return sql<boolean>`(e.received_at, e.id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`
}

function selectEvents(db: Db) {
  return db
    .selectFrom('auth.security_events as e')
    .leftJoin('profiles as p', 'p.user_id', 'e.user_id')
    .select(['e.id', 'e.user_id', 'e.type', 'e.severity', 'e.occurred_at', 'e.received_at', 'e.url'])
    .select(['e.user_agent', 'e.ip', 'e.details', 'p.email'])
    .select(
      sql<string>`to_char(e.received_at at time zone 'utc', ${sql.lit(POSITION_FORMAT)})`.as('position'),
    )
    .orderBy('e.received_at', 'desc')
    .orderBy('e.id', 'desc')
}

function describeEvent<Row extends { occurred_at: Date; received_at: Date }>({
  occurred_at,
  received_at,
  ...row
}: Row) {
  return { ...row, occurred_at: occurred_at.toISOString(), received_at: received_at.toISOString() }
}

/**
 * Each new event deletes a few old ones, so that the table never holds more than a month of events without an
 * account.
 */
async function forgetOldOfNobody(db: Db): Promise<void> {
  await sql`
    delete from auth.security_events where id in (
      select id from auth.security_events
      where user_id is null and received_at < now() - ${OLDEST_OF_NOBODY} limit 20 for update skip locked)`.execute(
    db,
  )
}
