import { sql } from 'kysely'
import { now } from '../lab/now.ts'
import type { Run } from './scenario.ts'

/** A lead's owner, and the endpoint that should receive it. */
export interface Owner {
  client: string
  endpoint: number
}

const LEAD = sql`
  insert into leads (user_id, assigned_to, status, name, email, phone, lead_type, source)
  select owner, owner, 'assigned', 'Avery Example', 'avery@example.com', '+15125550143', 'final_expense', 'example'`

/** Inserts leads with their events as the API commits them; the relay finds them in the outbox. */
export async function plantLeads(run: Run, owners: readonly Owner[]): Promise<void> {
  const { rows } = await sql<{ id: string; client: string }>`
    with made as (
      ${LEAD} from unnest(${owners.map(({ client }) => client)}::uuid[]) owner
      returning id, user_id
    ), told as (
      insert into events (type, lead_id, client_user_id)
      select type, id, user_id from made cross join unnest(array['lead.created', 'lead.assigned']) type
    )
    select id, user_id as client from made`.execute(run.world.db)
  acknowledge(run, rows, new Map(owners.map(({ client, endpoint }) => [client, endpoint])))
}

/** Inserts planned leads of this endpoint's client: all deliveries are due at once, without a wake-up. */
export async function plantWaiting(run: Run, endpoint: number, count: number): Promise<void> {
  const { rows } = await sql<{ id: string; client: string }>`
    with config as (
      select id, client_user_id from client_webhook_configs where endpoint_url ~ ${`/e/${endpoint}$`}
    ), made as (
      ${LEAD} from (select client_user_id as owner from config cross join generate_series(1, ${count}::int)) owned
      returning id, user_id
    ), told as (
      insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
      select type, id, user_id, now(), now()
      from made cross join unnest(array['lead.created', 'lead.assigned']) type
      returning id, type, lead_id, client_user_id
    ), waiting as (
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state,
        next_attempt_at)
      select told.id, told.type, config.id, told.client_user_id, told.lead_id, 'pending', now()
      from told join config using (client_user_id) where told.type = 'lead.assigned'
    )
    select id, user_id as client from made`.execute(run.world.db)
  acknowledge(run, rows, new Map(rows.map(({ client }) => [client, endpoint])))
}

function acknowledge(
  run: Run,
  leads: ReadonlyArray<{ id: string; client: string }>,
  endpoints: ReadonlyMap<string, number>,
): void {
  const at = now()
  for (const { id, client } of leads)
    run.acks.push({
      externalId: id,
      leadId: id,
      endpoint: endpoints.get(client) ?? 0,
      intended: at,
      ackedAt: at,
      tries: 1,
    })
}
