import { sql, type RawBuilder } from 'kysely'
import type { AskedEvent } from '#core/contract/webhooks/asked-delivery.ts'
import type { Db } from '#core/data/database.ts'

/** A configuration's conditions and sending hours, as they are stored; null means every lead, and always. */
export interface StoredChoice {
  webhook_config_id: string
  choice_id: string | null
  version: string
  conditions: unknown
  sending_hours: unknown
}

/**
 * SQL: the version of a configuration's choices; `k` is an earlier choice of it, or null. The version has two parts
 * with a space between them: the version of the row, only if it has sending hours, and that of its triggers and
 * conditions. So no other change makes a verdict void.
 */
export const versionOf = (of: {
  row: RawBuilder<unknown>
  hasHours: RawBuilder<unknown>
  since: RawBuilder<unknown>
}): RawBuilder<unknown> => sql`
  case when ${of.hasHours} then ${of.row} else '' end || ' ' || coalesce(k.id::text, extract(epoch from ${of.since})::text)`

/**
 * The configurations that still exist, in no order: with their present sending hours, and with their present conditions
 * or those of the named choice.
 */
export async function readStoredChoices(
  db: Db,
  asked: ReadonlyArray<Pick<AskedEvent['configurations'][number], 'webhook_config_id' | 'choice_id'>>,
): Promise<StoredChoice[]> {
  const { rows } = await sql<StoredChoice>`
    select c.id as webhook_config_id, k.id as choice_id, ${versionOf({ row: sql`c.xmin::text`, hasHours: sql`c.sending_hours is not null`, since: sql`c.choice_since` })} as version,
      case when k.id is null then c.conditions else k.conditions end as conditions, c.sending_hours
    from unnest(
      ${asked.map((one) => one.webhook_config_id)}::uuid[], ${asked.map((one) => one.choice_id)}::uuid[]) as t (id, choice_id)
    join client_webhook_configs c on c.id = t.id
    left join webhook_choices k on k.id = t.choice_id and k.webhook_config_id = c.id
    where t.choice_id is null or k.id is not null
  `.execute(db)
  return rows
}
