import { sql } from 'kysely'
import type { DeliveryStanding } from '#core/domain/market/write-checklist.ts'
import type { Db } from '../database.ts'

/**
 * Number of the client's webhooks that take assigned leads, and whether the newest attempt of these failed; null if
 * there was none.
 */
export async function readDeliveryStanding(db: Db, owner: string): Promise<DeliveryStanding> {
  const { rows } = await sql<DeliveryStanding>`
    select count(*)::int as active, (array_agg(h.last_error_class is not null order by h.last_attempt_at desc)
      filter (where h.last_attempt_at is not null))[1] as last_failed
    from client_webhook_configs c left join webhook_endpoint_health h on h.webhook_config_id = c.id
    where c.client_user_id = ${owner} and c.is_active and c.trigger_on_lead_assigned`.execute(db)
  return rows[0] ?? { active: 0, last_failed: null }
}
