import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import type { World } from './world.ts'

export interface AttemptRow {
  deliveryId: string
  endpoint: number
  attempt: number
  tookMs: number
  errorClass: string | null
  status: number | null
  madeAt: number
  nextAt: number | null
}

/** The delivery log, by endpoint. */
export async function readAttempts(world: World): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select substring(c.endpoint_url from '/e/(\\d+)')::int as endpoint, l.delivery_id as "deliveryId", l.attempt_number as attempt,
      l.processing_time_ms as "tookMs", l.error_class as "errorClass", l.response_status as status,
      extract(epoch from l.created_at)::float8 * 1000 as "madeAt",
      extract(epoch from l.next_attempt_at)::float8 * 1000 as "nextAt"
    from webhook_delivery_logs l join client_webhook_configs c on c.id = l.webhook_config_id`.execute(
    world.db,
  )
  return rows
}

/** The number of configurations that are switched off. */
export async function countSwitchedOff(world: World): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from client_webhook_configs where not is_active`.execute(world.db)
  return rows[0]?.count ?? 0
}

/** The number of lines of the workers' logs that contain this text. */
export function countLines(world: World, text: string): number {
  return readWorkerLogs(world)
    .split('\n')
    .filter((line) => line.includes(text)).length
}

/** The logs of all workers since their first start. */
export function readWorkerLogs(world: World): string {
  return world.workers
    .map((_worker, index) => readFileSync(path.join(world.folder, `worker-${index + 1}.log`), 'utf8'))
    .join('\n')
}
