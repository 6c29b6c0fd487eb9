import { sql } from 'kysely'
import type { TroubledEndpoint } from '#core/contract/operations/dead-letter.ts'
import type { Db } from '#core/data/database.ts'
import { hostOf } from '../endpoint-host.ts'

const LIMIT = 100

type Row = Omit<TroubledEndpoint, 'endpoint_host' | 'client' | 'failing_since' | 'standing'> & {
  endpoint_url: string
  client_user_id: string
  client_name: string | null
  client_email: string
  failing_since: Date | null
  was_switched_off: boolean
}
/** The standing is the domain's to judge. */
export type StoredEndpoint = Omit<TroubledEndpoint, 'standing'> & Pick<Row, 'was_switched_off'>

/**
 * Endpoints with an open breaker or failing again and again; those with a breaker first, then the longest failing.
 * @param failingFrom failures in a row; fewer are an ordinary hiccup
 */
export async function listTroubledEndpoints(db: Db, failingFrom: number): Promise<StoredEndpoint[]> {
  const { rows } = await sql<Row>`
    select h.webhook_config_id, c.webhook_name, c.endpoint_url, c.is_active, c.disabled_at is not null as was_switched_off,
      c.client_user_id, p.name as client_name,
      p.email::text as client_email, h.breaker, h.failing_since, h.failures_in_row, h.last_error_class as last_reason,
      (select count(*)::int from webhook_deliveries d
        where d.webhook_config_id = h.webhook_config_id and d.state = 'held') as held
    from (
      select * from webhook_endpoint_health
      where breaker = 'open' or failures_in_row >= ${failingFrom}
      order by breaker = 'open' desc, failing_since limit ${LIMIT}
    ) h
    join client_webhook_configs c on c.id = h.webhook_config_id
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
