import { ConfigError, type Config } from './config/config.ts'
import { addressOf } from './data/connection/address.ts'
import { openDatabase, type Db } from './data/database.ts'
import { requireMigrations } from './migrations.ts'
import { requireSessionSettings } from './require-session-settings.ts'
import type { Keyring } from './secrets/keyring.ts'
import { takeKeyring } from './secrets/secrets-key.ts'

/**
 * Checks, before server or worker opens anything, that sessions have the settings they need, that the database has the
 * schema of this version, and that its secrets can be opened. So a start that is refused has written nothing.
 * @returns the keys under which secrets are sealed
 * @throws ConfigError, SealError
 */
export async function prepareStart(config: Config): Promise<Keyring> {
  const { url, directUrl } = config.database
  if (directUrl !== url) await withDatabase('DATABASE_DIRECT_URL', directUrl, () => requireDirect(directUrl))
  return await withDatabase('DATABASE_URL', url, async (db) => {
    await requireMigrations(db)
    return await takeKeyring(config, db)
  })
}

/** Opens one session, checks it, and runs a query in it. */
async function withDatabase<T>(
  variable: string,
  url: string,
  andThen: (db: Db) => T | Promise<T>,
): Promise<T> {
  // A server that accepts the settings of this kind accepts those of the others.
  const wanted = { url, byKey: true, inLine: true, poolSize: 1, name: 'leadwire-start' }
  // A connection that breaks fails the query, and that error is reported.
  const { db, close } = openDatabase(wanted, () => undefined)
  try {
    await requireSessionSettings(db, { variable, kind: 'in_line' })
    return await andThen(db)
  } finally {
    // We do not wait for the connection to close: the database may have frozen meanwhile.
    void close()
  }
}

/** Sessions at this address keep their settings, or it is not the one that was meant. */
function requireDirect(url: string): void {
  if (addressOf(url).pooler === undefined) return
  throw new ConfigError([
    'DATABASE_DIRECT_URL: a transaction pooler answers there; it must lead to PostgreSQL itself',
  ])
}
