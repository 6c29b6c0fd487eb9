import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { MigrationResultSet } from 'kysely/migration'
import { ConfigError } from '#core/config/config.ts'
import { isLockTimeout } from '#core/data/is-lock-timeout.ts'

/** For how long a statement of a migration waits for its lock. */
export const LOCK_TIMEOUT_MS = 100
const ASK_AGAIN_MS = 200

/**
 * A statement that waits for a lock makes every later one on that table wait behind it, leads included. So it waits
 * for an instant only, and the whole transaction is tried again.
 */
export async function withoutQueueing<Tables>(
  db: Kysely<Tables>,
  patienceMs: number,
  migrate: (on: Kysely<Tables>) => Promise<MigrationResultSet>,
): Promise<MigrationResultSet> {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    const results = await db.connection().execute(async (on) => {
      await sql.raw(`set lock_timeout = ${LOCK_TIMEOUT_MS}`).execute(on)
      try {
        return await migrate(on)
      } finally {
        await sql`set lock_timeout = 0`.execute(on)
      }
    })
    if (!isLockTimeout(results.error)) return results
    if (Date.now() >= giveUpAt) throw explainLock(results, patienceMs)
    await sleep(ASK_AGAIN_MS)
  }
}

function explainLock({ results }: MigrationResultSet, patienceMs: number): ConfigError {
  const name = results?.find(({ status }) => status === 'Error')?.migrationName ?? ''
  return new ConfigError([
    `DATABASE_URL: ${name} found its table locked for ${Math.round(patienceMs / 1000)} s. See who holds it by \`select pid, xact_start, query from pg_stat_activity where xact_start is not null order by xact_start\` and run \`npm run migrate\` again`,
  ])
}
