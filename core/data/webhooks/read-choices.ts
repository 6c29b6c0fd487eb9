import { sql } from 'kysely'
import type { AskedEvent } from '#core/contract/webhooks/asked-delivery.ts'
import type { Db } from '#core/data/database.ts'

/** What a configuration asks of the leads that it is sent, as it is stored; null is every lead, and always. */
export interface StoredChoice {
  webhook_config_id: string
  choice_id: string | null
  version: string
  conditions: unknown
  sending_hours: unknown
}

/** Of those that there still are, in no order: the sending hours of now, and the conditions of now or of the choice that is named. */
export async function readStoredChoices(
  db: Db,
  asked: ReadonlyArray<Pick<AskedEvent['configurations'][number], 'webhook_config_id' | 'choice_id'>>,
): Promise<StoredChoice[]> {
  const { rows } = await sql<StoredChoice>`
    select c.id as webhook_config_id, k.id as choice_id, c.xmin::text || coalesce(' ' || k.id::text, '') as version,
      case when k.id is null then c.conditions else k.conditions end as conditions, c.sending_hours
    from unnest(
      ${asked.map((one) => one.webhook_config_id)}::uuid[], ${asked.map((one) => one.choice_id)}::uuid[]) as t (id, choice_id)
    join client_webhook_configs c on c.id = t.id
    left join webhook_choices k on k.id = t.choice_id and k.webhook_config_id = c.id
    where t.choice_id is null or k.id is not null
  `.execute(db)
  return rows
}
