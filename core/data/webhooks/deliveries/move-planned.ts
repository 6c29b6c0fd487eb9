import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import type { DueDelivery } from './plan-deliveries.ts'

/**
 * Limit of times that are moved: deliveries that wait for sending hours share few times. Further ones are postponed
 * when they are due.
 */
const MOST_TIMES = 5000
/** Limit of deliveries for which wake-ups are sent at once; the workers' poll finds the others. */
const MOST_RUNG = 50

/** SQL on `d`: a delivery of a lead. Sending hours do not hold events beside it. */
const IS_OF_LEAD = sql`d.lead_id <> d.event_id`

/** The times for which a configuration has planned deliveries of leads, cut to milliseconds, and the database's clock. */
export async function listPlannedTimes(
  db: Db,
  webhookConfigId: string,
): Promise<{ planned: Date; now: Date }[]> {
  const { rows } = await sql<{ planned: Date; now: Date }>`
    select distinct date_trunc('milliseconds', next_attempt_at) as planned, now() as now from webhook_deliveries d
    where webhook_config_id = ${webhookConfigId} and state = 'pending' and next_attempt_at > now() and ${IS_OF_LEAD}
    order by planned limit ${MOST_TIMES}
  `.execute(db)
  return rows
}

/**
 * Moves deliveries of leads that are planned for some times to other times, unless somebody is sending them. Many that become
 * due at once are a burst, with the lower priority of one. To be run while the configuration is locked.
 * @returns the first of those that are due now
 */
export async function movePlanned(
  db: Db,
  webhookConfigId: string,
  moves: readonly { from: Date; to: Date }[],
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with moves as (
      select * from unnest(${moves.map(({ from }) => from)}::timestamptz[], ${moves.map(({ to }) => to)}::timestamptz[])
        as t (planned, moved_to)
    ), waiting as (
      select d.id, d.created_at, m.moved_to from webhook_deliveries d
      join moves m on m.planned = date_trunc('milliseconds', d.next_attempt_at)
      where d.webhook_config_id = ${webhookConfigId} and d.state = 'pending' and d.next_attempt_at > now() and ${IS_OF_LEAD}
        and (d.lease_until is null or d.lease_until < now())
      order by d.id for update of d
    ), moved as (
      update webhook_deliveries d set next_attempt_at = greatest(now(), w.moved_to),
        turn = case when w.moved_to <= now() then w.place / 50 else d.turn end
      from (select id, moved_to, (row_number() over (order by created_at) - 1)::int as place from waiting) w
      where d.id = w.id
      returning d.id as delivery_id, d.webhook_config_id, d.client_user_id, d.attempt + 1 as attempt, d.turn,
        d.next_attempt_at <= now() as is_due
    )
    select delivery_id, webhook_config_id, client_user_id, attempt, turn from moved where is_due order by turn limit ${MOST_RUNG}
  `.execute(db)
  return rows
}

/**
 * Makes deliveries due that were just planned for sending hours, if the configuration has changed since they were
 * judged. The statement that changed the hours may not have seen them. If the present time is outside the new hours,
 * the claim postpones them.
 */
export async function makeDueWhereChanged(
  db: Db,
  judged: readonly { event_id: string; webhook_config_id: string; version: string }[],
): Promise<void> {
  await sql`
    with waiting as (
      select d.id from unnest(
        ${judged.map((one) => one.event_id)}::uuid[], ${judged.map((one) => one.webhook_config_id)}::uuid[],
        ${judged.map((one) => one.version)}::text[]) as t (event_id, webhook_config_id, version)
      join client_webhook_configs c on c.id = t.webhook_config_id and c.xmin::text <> split_part(t.version, ' ', 1)
      join webhook_deliveries d on d.event_id = t.event_id and d.webhook_config_id = t.webhook_config_id
      where d.resend_of is null and d.attempt = 0
        and case d.state when 'pending' then d.next_attempt_at > now() else false end
      order by d.id for update of d
    )
    update webhook_deliveries d set next_attempt_at = now() from waiting where d.id = waiting.id
  `.execute(db)
}
