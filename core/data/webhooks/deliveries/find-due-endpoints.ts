import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import { IS_SENT_ALONE, isWebhookAlone } from './lone-deliveries.ts'
import { isUsedUp } from './rate-limits.ts'

/** An endpoint with a due delivery that nobody is sending. */
export interface DueEndpoint {
  webhook_config_id: string
  client_user_id: string
}

/** The result of one look, and the endpoint after which the next one begins: null at the end. */
export interface LookForDue {
  due: DueEndpoint[]
  next: string | null
}

/** Number of endpoints with something planned, due or not, that one look reads. */
const MOST = 2000
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Finds endpoints with a due delivery that nobody has: its wake-up was lost, its retry has come due, or its worker is
 * gone. An endpoint that has had its requests of this minute is left out, and so are deliveries that are sent alone
 * (lone-deliveries.ts finds them). The query goes from endpoint to endpoint by the index, so that each endpoint costs one
 * step, however much waits there.
 */
export async function findDueEndpoints(db: Db, after: string | null): Promise<LookForDue> {
  const { rows } = await sql<{ webhook_config_id: string; client_user_id: string | null }>`
    with recursive waiting as (
      (select webhook_config_id, 1 as place from webhook_deliveries
      where state = 'pending' and webhook_config_id > ${after ?? FIRST}::uuid
      order by webhook_config_id limit 1)
      union all
      select next.webhook_config_id, waiting.place + 1
      from waiting cross join lateral (
        select webhook_config_id from webhook_deliveries
        where state = 'pending' and webhook_config_id > waiting.webhook_config_id
        order by webhook_config_id limit 1) next
      where waiting.place < ${MOST}
    )
    select waiting.webhook_config_id, due.client_user_id
    from waiting left join lateral (
      select d.client_user_id from (values (false), (true)) as kind (gives_way) cross join lateral (
        select client_user_id from webhook_deliveries d
        where webhook_config_id = waiting.webhook_config_id and state = 'pending'
          and (attempt > 0 or turn > 0) = kind.gives_way
          and next_attempt_at <= now() and (lease_until is null or lease_until < now()) and not (${IS_SENT_ALONE})
        order by webhook_config_id, (attempt > 0 or turn > 0), next_attempt_at limit 1) d
      limit 1) due on not ${isWebhookAlone(sql`waiting.webhook_config_id`)} and not ${isUsedUp(sql`waiting.webhook_config_id`)}
    order by waiting.place
  `.execute(db)
  return {
    due: rows.flatMap(({ webhook_config_id, client_user_id }) =>
      client_user_id === null ? [] : [{ webhook_config_id, client_user_id }],
    ),
    next: rows.length < MOST ? null : (rows.at(-1)?.webhook_config_id ?? null),
  }
}
