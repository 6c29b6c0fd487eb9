import type { Config } from './config/config.ts'
import { openDatabase } from './data/database.ts'
import { requireMigrations } from './migrations.ts'
import { takeSecretsKey } from './secrets/secrets-key.ts'

/**
 * What server and worker make sure of before they open anything, so that a start that is refused has written nothing: that the
 * database has the schema of this version, and that its secrets open.
 * @returns the key under which secrets are sealed
 * @throws ConfigError, SealError
 */
export async function prepareStart(config: Config): Promise<string> {
  const { db, close } = openDatabase(
    { ...config.database, poolSize: 1, name: 'leadwire-start' },
    // A connection that breaks fails the question, and that is told.
    () => undefined,
  )
  try {
    await requireMigrations(db)
    return await takeSecretsKey(config, db)
  } finally {
    // Its goodbye is not waited for: the database may have frozen meanwhile.
    void close()
  }
}
