import { sql } from 'kysely'
import type { TroubledEndpoint } from '#core/contract/operations/dead-letter.ts'
import { WAITING_COUNTED } from '#core/contract/webhooks/endpoint-health.ts'
import type { Db } from '#core/data/database.ts'
import { clientName } from '../../accounts/named-client.ts'
import { hostOf } from '../endpoint-host.ts'

/** Endpoints that are listed; one more is read, so that it is known whether there are more. */
export const TROUBLED_LISTED = 100

type Row = Omit<
  TroubledEndpoint,
  'endpoint_host' | 'client' | 'failing_since' | 'standing' | 'waiting_more'
> & {
  endpoint_url: string
  client_user_id: string
  client_name: string
  client_email: string
  failing_since: Date | null
  was_switched_off: boolean
  /** deliveries that failed for good since {@link failing_since}, at most one is counted */
  lost_in_row: number
}
/** The domain judges the status; waiting deliveries are counted up to one more than {@link WAITING_COUNTED}. */
export type StoredEndpoint = Omit<TroubledEndpoint, 'standing' | 'waiting_more'> &
  Pick<Row, 'was_switched_off' | 'lost_in_row'>

/**
 * Endpoints that need attention: their breaker is open, they keep failing, they have cost a delivery, or the system
 * switched them off. Those with an open breaker come first, then those that have failed longest.
 * @param failingFrom number of failures in a row; fewer are ordinary
 */
export async function listTroubledEndpoints(db: Db, failingFrom: number): Promise<StoredEndpoint[]> {
  const { rows } = await sql<Row>`
    select h.webhook_config_id, c.webhook_name, c.endpoint_url, c.is_active, c.disabled_at is not null as was_switched_off,
      c.client_user_id, ${clientName('p')} as client_name,
      p.email::text as client_email, h.breaker, h.failing_since, h.failures_in_row, h.last_error_class as last_reason,
      h.lost_in_row, open.held, open.waiting
    from (
      select h.*, lost.lost_in_row
      from webhook_endpoint_health h join client_webhook_configs c on c.id = h.webhook_config_id
      cross join lateral (
        select (h.failures_in_row > 0 and exists (
          select from webhook_deliveries d
          where d.webhook_config_id = h.webhook_config_id and d.state = 'failed' and d.finished_at >= h.failing_since
        ))::int as lost_in_row
      ) lost
      where h.breaker = 'open' or h.failures_in_row >= ${failingFrom} or lost.lost_in_row > 0
        or (not c.is_active and c.disabled_at is not null)
      order by h.breaker = 'open' desc, h.failing_since limit ${TROUBLED_LISTED + 1}
    ) h
    join client_webhook_configs c on c.id = h.webhook_config_id
    cross join lateral (
      select count(*)::int as waiting, count(*) filter (where state = 'held')::int as held from (
        select d.state from webhook_deliveries d
        where d.webhook_config_id = h.webhook_config_id and d.state in ('pending', 'held') limit ${WAITING_COUNTED + 1}) counted
    ) open
    join profiles p on p.user_id = c.client_user_id
    order by h.breaker = 'open' desc, h.failing_since
  `.execute(db)
  return rows.map(({ endpoint_url, client_user_id, client_name, client_email, failing_since, ...row }) => ({
    ...row,
    endpoint_host: hostOf(endpoint_url),
    failing_since: failing_since?.toISOString() ?? null,
    client: { user_id: client_user_id, name: client_name, email: client_email },
  }))
}
