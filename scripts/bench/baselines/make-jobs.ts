import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { createSecretBox } from '#core/secrets/secret-box.ts'
import { prepareConfigurations, prepareDeliveries } from '../prepare.ts'
import type { BenchContext } from '../services.ts'
import type { LoopJob } from './choose-work.ts'

export type Work = 'post-and-log' | 'whole' | 'one-by-one'

/** Makes one job for each delivery; for the whole work, also the rows that it reads and changes. */
export async function makeJobs(context: BenchContext, work: Work, count: number): Promise<LoopJob[]> {
  const { config, db, receiver } = context
  if (work !== 'post-and-log') {
    const owner = await prepareConfigurations(db, createSecretBox(config.secretsKey ?? ''), receiver.url)
    const due = await prepareDeliveries(db, owner, count)
    await sql`vacuum analyze leads, events, webhook_deliveries, client_webhook_configs`.execute(db)
    return due.map(({ delivery_id, webhook_config_id, attempt }) => ({
      delivery_id,
      webhook_config_id,
      attempt,
    }))
  }
  const webhook_config_id = randomUUID()
  return Array.from({ length: count }, () => ({ delivery_id: randomUUIDv7(), webhook_config_id, attempt: 1 }))
}

export async function countUndelivered({ db }: BenchContext, work: Work): Promise<number> {
  if (work === 'post-and-log') return 0
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from webhook_deliveries where state <> 'delivered'`.execute(db)
  return rows[0]?.open ?? 0
}
