import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'

/** Deliveries of each configuration that wait for their first attempt, and as many cancelled ones. */
const EACH = 60
const SAMPLED = 2000

/** An attempt whose delivery also exists. */
export interface SampledAttempt {
  id: string
  delivery_id: string
  event_id: string
  lead_id: string
  email: string
}

/**
 * Adds the deliveries of some attempts of every age. The others need none, because a list joins one page of
 * them by key.
 */
export async function fillDeliveries(
  db: Kysely<Database>,
  client: string,
  configurations: readonly string[],
): Promise<SampledAttempt[]> {
  await fillUnattempted(db, client, configurations)
  const { rows } = await sql<SampledAttempt>`
    with sampled as materialized (
      select g.*, l.email::text from webhook_delivery_logs g tablesample system (1) join leads l on l.id = g.lead_id
      where g.client_user_id = ${client} limit ${SAMPLED}
    ), told as (
      insert into events (id, type, lead_id, client_user_id, created_at, enqueued_at, planned_at)
      select event_id, event_type, lead_id, client_user_id, created_at, created_at, created_at from sampled
      on conflict do nothing
    ), made as (
      insert into webhook_deliveries (id, event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt,
        next_attempt_at, created_at, finished_at)
      select delivery_id, event_id, event_type, webhook_config_id, client_user_id, lead_id, delivery_status, 1, null,
        created_at, created_at + interval '1 second' from sampled
      on conflict do nothing
    )
    select id, delivery_id, event_id, lead_id, email from sampled`.execute(db)
  return rows
}

async function fillUnattempted(
  db: Kysely<Database>,
  client: string,
  configurations: readonly string[],
): Promise<void> {
  await sql`
    with wanted as (
      select c.id as configuration, l.id as lead, n, uuid_v7() as event
      from unnest(${[...configurations]}::uuid[]) with ordinality c (id, place)
      cross join generate_series(1, ${2 * EACH}::int) n
      join (select id, row_number() over (order by id) as place from leads limit 1000) l on l.place = 1 + (c.place + n) % 50
      where not exists (select from webhook_deliveries where state = 'cancelled')
    ), told as (
      insert into events (id, type, lead_id, client_user_id, enqueued_at, planned_at)
      select event, 'lead.assigned', lead, ${client}::uuid, now(), now() from wanted returning id
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, next_attempt_at,
      finished_at)
    select event, 'lead.assigned', configuration, ${client}::uuid, lead,
      case when n % 2 = 0 then 'pending' else 'cancelled' end, case when n % 2 = 0 then now() + interval '1 hour' end,
      case when n % 2 = 1 then now() - interval '26 weeks' * n / ${2 * EACH}::int end
    from wanted join told on told.id = wanted.event`.execute(db)
}
