import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'

/** What a configuration asks of the leads that it is sent, as it is stored; null is every lead, and always. */
export interface StoredChoice {
  webhook_config_id: string
  version: string
  conditions: unknown
  sending_hours: unknown
}

/** Of those that there still are, in no order. */
export async function readStoredChoices(db: Db, configurations: readonly string[]): Promise<StoredChoice[]> {
  const { rows } = await sql<StoredChoice>`
    select id as webhook_config_id, xmin::text as version, conditions, sending_hours
    from client_webhook_configs where id = any(${[...configurations]}::uuid[])
  `.execute(db)
  return rows
}
