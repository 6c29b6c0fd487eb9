import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database.ts'

/**
 * SQL: one of this client's webhooks accepted the lead. The deletion of a webhook removes its deliveries; then only the
 * lead's events tell that it had the lead.
 */
export function hasArrived(leadId: RawBuilder<unknown>, client: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(exists (
      select from webhook_deliveries taken
      where taken.lead_id = ${leadId} and taken.client_user_id = ${client} and taken.state = 'delivered')
    or exists (
      select from events told
      where told.lead_id = ${leadId} and told.client_user_id = ${client} and told.type = 'delivery.succeeded'))`
}

/**
 * SQL: a request with the lead is under way to this client although its delivery was cancelled, or was deleted with its
 * webhook: it may still arrive.
 */
export function isLeaving(leadId: RawBuilder<unknown>, client: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(exists (
      select from webhook_deliveries leaving
      where leaving.lead_id = ${leadId} and leaving.client_user_id = ${client} and leaving.state = 'cancelled'
        and leaving.lease_until > clock_timestamp())
    or exists (
      select from lead_assignments bought join undelivered_leads noted on noted.assignment_id = bought.id
      where bought.lead_id = ${leadId} and bought.client_user_id = ${client} and noted.leaving_until > clock_timestamp()))`
}

/**
 * Called before these webhooks are deleted with their deliveries. It notes the bought leads that are being sent to
 * them: until the requests' leases end, the leads may still arrive.
 */
export async function noteLeaving(trx: Db, webhookConfigIds: readonly string[]): Promise<void> {
  await sql`
    insert into undelivered_leads (assignment_id, due_at, leaving_until)
    select a.id, d.lease_until, d.lease_until
    from webhook_deliveries d join lead_assignments a on a.lead_id = d.lead_id and a.client_user_id = d.client_user_id
    where d.webhook_config_id = any(${[...webhookConfigIds]}::uuid[]) and d.lease_until > clock_timestamp()
      and d.event_type = 'lead.assigned' and a.state = 'active' and a.order_id is not null`.execute(trx)
}
