import { ConfigError, type Config } from './config/config.ts'
import { openDatabase, type Db } from './data/database.ts'
import { requireMigrations } from './migrations.ts'
import { requireSessionSettings } from './require-session-settings.ts'
import { takeSecretsKey } from './secrets/secrets-key.ts'

const KINDS = {
  in_line: { variable: 'DATABASE_URL_IN_LINE', byKey: true, inLine: true },
  by_key: { variable: 'DATABASE_URL_BY_KEY', byKey: true, inLine: false },
  plain: { variable: 'DATABASE_URL', byKey: false, inLine: false },
} as const

/**
 * Checks, before server or worker opens anything, that sessions have the settings they need, that the database has the
 * schema of this version, and that its secrets can be opened. So a start that is refused has written nothing.
 * @returns the key under which secrets are sealed
 * @throws ConfigError, SealError
 */
export async function prepareStart(config: Config): Promise<string> {
  const openStart = async (db: Db): Promise<string> => {
    await requireMigrations(db)
    return await takeSecretsKey(config, db)
  }
  // A server that accepts the settings of this kind accepts those of the others.
  if (config.database.pooled === undefined) return await requireKind(config, 'in_line', openStart)
  const faults: string[] = []
  for (const kind of ['plain', 'by_key', 'in_line'] as const)
    await requireKind(config, kind, () => Promise.resolve()).catch((error: unknown) => {
      if (!(error instanceof ConfigError)) throw error
      faults.push(...error.faults)
    })
  // All roles are checked at once, so that an operator can fix them at once.
  if (faults.length > 0) throw new ConfigError(faults)
  return await requireKind(config, 'plain', openStart)
}

/** Opens one session of a kind, checks it, and runs a query in it. */
async function requireKind<T>(
  { database }: Config,
  kind: keyof typeof KINDS,
  andThen: (db: Db) => Promise<T>,
): Promise<T> {
  const { variable, ...wanted } = KINDS[kind]
  const { db, close } = openDatabase(
    { ...database, ...wanted, poolSize: 1, name: 'leadwire-start' },
    // A connection that breaks fails the query, and that error is reported.
    () => undefined,
  )
  try {
    await requireSessionSettings(db, {
      variable: database.pooled === undefined ? 'DATABASE_URL' : variable,
      kind,
    })
    return await andThen(db)
  } finally {
    // We do not wait for the connection to close: the database may have frozen meanwhile.
    void close()
  }
}
