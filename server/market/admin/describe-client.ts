import type { AdminClient } from '#core/contract/market/admin-client.ts'
import type { StoredClient } from '#core/data/market/admin-clients.ts'
import { requireCents } from '#core/domain/market/cents.ts'
import { judgeFunding } from '#core/domain/market/judge-funding.ts'

/** A client as administrators see it, with the same word for its funding as on the client's own screens. */
export function describeClient(row: StoredClient): AdminClient {
  const { user_id, name, display_name, email, business_name, status, balance, orders_active, orders } = row
  return {
    user_id,
    name,
    display_name,
    email,
    business_name,
    status,
    balance,
    funding: judgeFunding({
      balance: requireCents(balance),
      threshold: requireCents(row.low_balance_threshold),
      cheapest: row.cheapest === null ? null : requireCents(row.cheapest),
    }),
    begun: row.begun,
    orders_active,
    orders,
    webhooks_failing: row.webhooks_failing,
    sending_pause: describePause(row),
    last_lead_at: row.last_lead_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}

function describePause({
  sending_paused_at: since,
  sending_pause_reason: reason,
}: StoredClient): AdminClient['sending_pause'] {
  return since === null || reason === null ? null : { since: since.toISOString(), reason }
}
