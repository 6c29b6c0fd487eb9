import { sql } from 'kysely'
import type { WorkerContext } from '../context.ts'

const WEEKS_AHEAD = 4

/** Makes the log's partitions ahead of time, so that no row ever falls into the default one. */
export async function makePartitions(context: Pick<WorkerContext, 'db'>): Promise<void> {
  await sql`select ensure_delivery_log_partitions(${WEEKS_AHEAD})`.execute(context.db)
}
