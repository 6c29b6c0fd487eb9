import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { countOpenJobs } from './queues.ts'
import type { Ground } from './ground.ts'

/** After this long even a slow machine is not draining. */
const LONGEST_SECONDS = 900

/**
 * Waits until PostgreSQL and Redis have nothing left to do, or until nothing has changed for this long.
 * Returns whether it drained. A busy machine may be slow, but it makes progress.
 */
export async function drainWorld(ground: Ground, stillSeconds: number): Promise<boolean> {
  const startedAt = performance.now()
  let fewest = Infinity
  let movedAt = startedAt
  for (;;) {
    const rows = await countOpenRows(ground)
    const open = rows + (await countOpenJobs(ground))
    if (open === 0) return true
    const at = performance.now()
    if (open < fewest) {
      fewest = open
      movedAt = at
    }
    if (at - movedAt > stillSeconds * 1000 || at - startedAt > LONGEST_SECONDS * 1000) return false
    await sleep(200)
  }
}

async function countOpenRows(ground: Ground): Promise<number> {
  try {
    const { rows } = await sql<{ open: number }>`
      select ((select count(*) from events where planned_at is null)
        + (select count(*) from webhook_deliveries where state in ('pending', 'held'))
        + (select count(*) from undelivered_leads))::int as open`.execute(ground.db)
    return rows[0]?.open ?? 0
  } catch {
    // PostgreSQL itself may be broken.
    return Number.NaN
  }
}
