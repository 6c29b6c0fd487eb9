import { sql } from 'kysely'
import { PLANNED_EVENTS } from '#core/contract/events.ts'
import type { Db } from '../../database.ts'
import type { ToldHolder } from './write-revocation.ts'

/**
 * Keeps leads from endpoints that do not have them yet: nobody should call these persons. Events that are not planned yet
 * are ended, and deliveries that wait are cancelled; a request under way ends as it ends. Locks come in the order of a
 * return: events, webhooks, deliveries (docs/decisions/0005).
 */
export async function stopDeliveriesOf(trx: Db, holders: readonly ToldHolder[]): Promise<void> {
  if (holders.length === 0) return
  const leads = holders.map((holder) => holder.lead_id)
  const clients = holders.map((holder) => holder.client_user_id)
  const whose = sql`unnest(${leads}::uuid[], ${clients}::uuid[]) as t (lead_id, client_user_id)`
  await sql`
    update events e set planned_at = now(), enqueued_at = coalesce(e.enqueued_at, now())
    from ${whose}
    where e.lead_id = t.lead_id and e.client_user_id = t.client_user_id and e.type = any(${[...PLANNED_EVENTS]}::text[])
      and coalesce(e.planned_at, 'infinity') = 'infinity'`.execute(trx)
  await sql`
    select from client_webhook_configs where client_user_id = any(${clients}::uuid[]) order by id for no key update`.execute(
    trx,
  )
  await sql`
    with waiting as (
      select d.id from webhook_deliveries d join ${whose} on d.lead_id = t.lead_id and d.client_user_id = t.client_user_id
      where case d.state when 'pending' then true when 'held' then true else false end
      order by d.id for update of d
    ), cancelled as (
      -- The lease stays: the sender that holds it may still record its result.
      update webhook_deliveries d set state = 'cancelled', next_attempt_at = null, finished_at = now()
      from waiting where d.id = waiting.id
      returning d.id, d.lead_id, d.client_user_id, d.webhook_config_id, d.attempt
    )
    insert into events (type, lead_id, client_user_id, data, created_at, enqueued_at, planned_at)
    select 'delivery.cancelled', c.lead_id, c.client_user_id,
      jsonb_build_object('delivery_id', c.id, 'webhook_config_id', c.webhook_config_id, 'attempt', c.attempt + 1,
        'reason', 'consent_revoked'), now(), now(), now()
    from cancelled c`.execute(trx)
}
