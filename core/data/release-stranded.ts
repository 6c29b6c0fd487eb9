import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { DueDelivery } from './plan-deliveries.ts'

/**
 * Makes due again what is held back for a configuration that is switched on: a claim that read the configuration just before
 * it was switched on may have held a delivery just after everything held was released.
 * Looks only at configurations that changed in the last hour, because the race is over within a moment of the change.
 */
export async function releaseStrandedDeliveries(db: Db): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    update webhook_deliveries set state = 'pending', next_attempt_at = now()
    where id in (
      select d.id from client_webhook_configs c join webhook_deliveries d on d.webhook_config_id = c.id
      where c.is_active and c.updated_at > now() - interval '1 hour' and d.state = 'held'
      for update of d skip locked)
    returning id as delivery_id, webhook_config_id, attempt + 1 as attempt
  `.execute(db)
  return rows
}
