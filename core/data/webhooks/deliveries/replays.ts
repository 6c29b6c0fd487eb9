import { sql } from 'kysely'
import type { Replay } from '#core/contract/webhooks/resend.ts'
import type { FailedSince } from './replay-pieces.ts'
import type { Db } from '#core/data/database.ts'

type ReplayRow = Omit<Replay, 'since' | 'created_at' | 'cancelled_at'> & {
  since: Date
  created_at: Date
  cancelled_at: Date | null
}

/**
 * The newest replays of a configuration, each with the present status of its deliveries. They are counted from the
 * deliveries themselves, by their index on the replay: at most twice RESEND_LIMIT for one replay.
 */
export async function listReplays(
  db: Db,
  client: string,
  webhookConfigId: string,
  limit: number,
): Promise<Replay[]> {
  const { rows } = await sql<ReplayRow>`
    select r.id, r.webhook_config_id, r.since, r.created_at, r.cancelled_at, count(d.id)::int as total,
      count(*) filter (where d.state in ('pending', 'held') and d.attempt <= d.replay_attempt)::int as waiting,
      count(*) filter (where d.state in ('pending', 'held') and d.attempt > d.replay_attempt)::int as retrying,
      count(*) filter (where d.state = 'held')::int as held,
      count(*) filter (where d.state = 'delivered')::int as delivered,
      count(*) filter (where d.state = 'failed')::int as failed,
      count(*) filter (where d.state = 'cancelled')::int as cancelled
    from (
      select * from webhook_replays
      where webhook_config_id = ${webhookConfigId} and client_user_id = ${client} and resent + hurried > 0
      order by created_at desc, id desc limit ${limit}
    ) r
    left join webhook_deliveries d on d.replay_id = r.id
    group by r.id, r.webhook_config_id, r.since, r.created_at, r.cancelled_at
    order by r.created_at desc, r.id desc
  `.execute(db)
  return rows.map((row) => ({
    ...row,
    since: row.since.toISOString(),
    created_at: row.created_at.toISOString(),
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
  }))
}

/** Stores a replay that is about to begin; it is not listed until it has sent something. */
export async function insertReplay(db: Db, id: string, what: FailedSince): Promise<void> {
  const { client: client_user_id, webhook_config_id, since } = what
  await db
    .insertInto('webhook_replays')
    .values({ id, webhook_config_id, client_user_id, since, resent: 0, hurried: 0, ended_at: null })
    .execute()
}

/** Whether a replay has begun and was neither finished nor stopped. */
export async function isReplayOpen(db: Db, id: string): Promise<boolean> {
  const open = await db
    .selectFrom('webhook_replays')
    .select('id')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst()
  return open !== undefined
}

/** Marks a replay as finished; one that found nothing is removed. */
export async function endReplay(db: Db, id: string): Promise<void> {
  await sql`
    with forgotten as (
      delete from webhook_replays where id = ${id} and resent + hurried = 0
    )
    update webhook_replays set ended_at = now() where id = ${id} and resent + hurried > 0 and ended_at is null`.execute(
    db,
  )
}

/** Stops a configuration's unfinished replays. */
export async function stopReplaysOf(db: Db, client: string, webhookConfigId: string): Promise<void> {
  await db
    .updateTable('webhook_replays')
    .set({ cancelled_at: sql<Date>`now()` })
    .where('webhook_config_id', '=', webhookConfigId)
    .where('client_user_id', '=', client)
    .where('ended_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .execute()
}

/** Number of deliveries that a replay has sent so far; nothing if it found none. */
export async function readReplaySize(
  db: Db,
  client: string,
  id: string,
): Promise<{ resent: number; hurried: number }> {
  const row = await db
    .selectFrom('webhook_replays')
    .select(['resent', 'hurried'])
    .where('id', '=', id)
    .where('client_user_id', '=', client)
    .executeTakeFirst()
  return row ?? { resent: 0, hurried: 0 }
}

/**
 * Marks a replay as stopped.
 * @returns false if this client has no such replay
 */
export async function stopReplay(db: Db, client: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_replays')
    .set((row) => ({ cancelled_at: row.fn.coalesce('cancelled_at', sql<Date>`now()`) }))
    .where('id', '=', id)
    .where('client_user_id', '=', client)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
