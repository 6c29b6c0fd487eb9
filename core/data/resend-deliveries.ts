import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { DueDelivery } from './plan-deliveries.ts'

/**
 * Makes a new delivery of the same event to the same configuration. The original stays as it is.
 * @param id the new delivery's id
 * @returns undefined when the configuration is gone or the delivery is not this client's
 */
export async function insertResend(
  db: Db,
  client: string,
  originalId: string,
  id: string,
): Promise<DueDelivery | undefined> {
  const { rows } = await sql<DueDelivery>`
    insert into webhook_deliveries (id, event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of)
    select ${id}, event_id, event_type, webhook_config_id, client_user_id, lead_id, id
    from webhook_deliveries where id = ${originalId} and client_user_id = ${client}
    returning id as delivery_id, webhook_config_id, 1 as attempt
  `.execute(db)
  return rows[0]
}

/** More at once would flood the endpoint that has just recovered; the caller repeats the call. */
export const RESEND_LIMIT = 10_000

// Found by way of the log, whose index is by configuration and time. A delivery that was resent already does not count.
const failedSince = (client: string, configId: string, since: Date) => sql`
  select d.id, d.event_id, d.event_type, d.webhook_config_id, d.client_user_id, d.lead_id
  from webhook_deliveries d
  where d.state = 'failed' and d.client_user_id = ${client}
    and d.id in (
      select g.delivery_id from webhook_delivery_logs g
      where g.webhook_config_id = ${configId} and g.created_at >= ${since} and g.delivery_status = 'failed'
        and g.next_attempt_at is null)
    and not exists (select from webhook_deliveries r where r.lead_id = d.lead_id and r.resend_of = d.id)
  order by d.id limit ${RESEND_LIMIT}`

/** How many deliveries {@link insertResends} would make. */
export async function countFailedDeliveries(
  db: Db,
  client: string,
  configId: string,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${failedSince(client, configId, since)}) failed
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Makes a new delivery for each that finally failed since then. Two callers at once do not make two of one. */
export async function insertResends(
  db: Db,
  client: string,
  configId: string,
  since: Date,
): Promise<DueDelivery[]> {
  // The configuration's row is the queue in which callers wait for each other.
  await sql`select from client_webhook_configs where id = ${configId} for no key update`.execute(db)
  const { rows } = await sql<DueDelivery>`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, resend_of)
    select event_id, event_type, webhook_config_id, client_user_id, lead_id, id
    from (${failedSince(client, configId, since)}) failed
    returning id as delivery_id, webhook_config_id, 1 as attempt
  `.execute(db)
  return rows
}
