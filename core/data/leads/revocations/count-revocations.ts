import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** The client or source whose reports are counted. */
export type RevocationCaller = { client_user_id: string } | { source_id: string }

const isBy = (caller: RevocationCaller) =>
  'source_id' in caller
    ? sql`source_id = ${caller.source_id} and reported_by = 'source'`
    : sql`client_user_id = ${caller.client_user_id} and reported_by = 'client'`

/**
 * Counts the reports of a caller, one after the other: a second report at the same moment waits.
 * @returns those of the last 24 hours that took effect at once, and those that wait
 */
export async function countRevocations(
  trx: Db,
  caller: RevocationCaller,
): Promise<{ today: number; waiting: number }> {
  const id = 'source_id' in caller ? caller.source_id : caller.client_user_id
  await sql`select pg_advisory_xact_lock(hashtext('revocations'), hashtext(${id}))`.execute(trx)
  const { rows } = await sql<{ today: number; waiting: number }>`
    select count(*) filter (where status <> 'waiting' and decided_at is null and created_at > now() - interval '1 day')::int as today,
      count(*) filter (where status = 'waiting')::int as waiting
    from revocations where ${isBy(caller)} and (status = 'waiting' or created_at > now() - interval '1 day')`.execute(
    trx,
  )
  return rows[0] ?? { today: 0, waiting: 0 }
}

/** A report of this caller that waits and names one of these leads. */
export async function findWaiting(
  trx: Db,
  caller: RevocationCaller,
  leadIds: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from revocations where ${isBy(caller)} and status = 'waiting' and lead_ids && ${[...leadIds]}::uuid[]
    order by created_at limit 1`.execute(trx)
  return rows[0]?.id
}

/** The revocation by which one of these leads was revoked for this client, or for anybody. */
export async function findEarlier(
  trx: Db,
  leadIds: readonly string[],
  client: string | undefined,
): Promise<string | undefined> {
  const { rows } = await sql<{ revocation_id: string }>`
    select revocation_id from revocation_holders
    where lead_id = any(${[...leadIds]}::uuid[]) and ${client === undefined ? sql`true` : sql`client_user_id = ${client}`}
    order by created_at desc limit 1`.execute(trx)
  return rows[0]?.revocation_id
}
