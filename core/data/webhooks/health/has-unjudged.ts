import { sql } from 'kysely'
import type { EndpointRule } from '#core/domain/webhooks/endpoint-rule.ts'
import type { Db } from '#core/data/database.ts'
import { hasWaited } from './endpoint-notices.ts'

/** Whether an endpoint may need a notice (endpoint-notices.ts): one query, and four more only if there is one. */
export async function hasUnjudged(db: Db, rule: EndpointRule): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
        select from webhook_endpoint_health h
        where failures_in_row >= ${rule.warnAfterFailures}
            and (warned_at is null or failing_since <= now() - make_interval(days => ${rule.switchOffAfterDays}) or ${hasWaited(rule)})
          or warned_at is not null and coalesce(failing_since > warned_at, true)
      ) or exists (
        select from client_webhook_configs c
        where c.disabled_at is not null and not c.is_active and not exists (
          select from webhook_endpoint_notices n
          where n.webhook_config_id = c.id and n.kind = 'switched_off' and n.spell_at = c.disabled_at)
      ) as found
  `.execute(db)
  return rows[0]?.found === true
}
