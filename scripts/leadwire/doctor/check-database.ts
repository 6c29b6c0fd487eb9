import type { Kysely } from 'kysely'
import { ConfigError, type Config } from '#core/config/config.ts'
import { addressOf } from '#core/data/connection/address.ts'
import { openDatabase } from '#core/data/database.ts'
import { listAppliedMigrations } from '#core/data/applied-migrations.ts'
import { readConnectionUse } from '#core/data/operations/server-state.ts'
import { readSessionSettings } from '#core/data/read-session-settings.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { readStoredKeys } from '#core/data/secrets/stored-keys.ts'
import { findMissingMigrations, listMigrationFiles } from '#core/migrations.ts'
import { requireSessionSettings } from '#core/require-session-settings.ts'
import { takeKeyring } from '#core/secrets/secrets-key.ts'
import { explainFailure } from '../explain-failure.ts'
import { checkPostgresHosts } from './check-postgres-hosts.ts'
import { checkReplica } from './check-replica.ts'
import { doubtful, fine, wrong, type Finding } from './check.ts'

/** Connections of a process beside its pool (server/open-stores.ts, worker/open-stores.ts). */
const SERVER_BESIDE = 10
const WORKER_BESIDE = 2
/** Share of the connections beyond which a restart may find none. */
const CROWDED = 0.9

/** Everything that PostgreSQL tells. Without a connection there is one finding. */
export async function checkDatabase(config: Config, db: Kysely<Database>): Promise<Finding[]> {
  let session
  try {
    session = await readSessionSettings(db, [])
  } catch (error) {
    const advice = 'start PostgreSQL, or correct DATABASE_URL and the network to it'
    return [wrong('PostgreSQL', explainFailure(error), advice), ...(await checkPostgresHosts(config))]
  }
  const version = `version ${Math.floor(session.version / 10_000)}.${session.version % 10_000}, ${session.encoding}`
  return [
    fine('PostgreSQL', version),
    ...(await checkPostgresHosts(config)),
    ...(await checkSettings(config)),
    await checkMigrations(db),
    await checkConnections(config, db),
    await checkSecretsKey(config, db),
    ...(await checkReplica(config, db)),
  ]
}

async function checkSettings({ database: { url, directUrl } }: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  const places = new Map([
    [url, 'DATABASE_URL'],
    [directUrl, directUrl === url ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'],
  ])
  for (const [place, variable] of places) {
    // A server that accepts the settings of this kind accepts those of the others.
    const wanted = { url: place, byKey: true, inLine: true, poolSize: 1, name: 'leadwire-doctor' }
    const { db, close } = openDatabase(wanted, () => undefined)
    await requireSessionSettings(db, { variable, kind: 'in_line' }).catch((error: unknown) => {
      const faults = error instanceof ConfigError ? error.faults : [explainFailure(error)]
      findings.push(wrong('Sessions', faults.join('; '), 'see docs/operations/database.md'))
    })
    await close()
  }
  if (findings.length > 0) return findings
  if (addressOf(directUrl).pooler !== undefined) {
    const found = 'a transaction pooler answers at the direct address'
    const advice = 'set DATABASE_DIRECT_URL to PostgreSQL itself, which migrations need'
    return [directUrl === url ? doubtful('Sessions', found, advice) : wrong('Sessions', found, advice)]
  }
  const pooler = addressOf(url).pooler
  const behind =
    pooler === undefined
      ? ''
      : `; a transaction pooler, ${pooler.prepares ? 'with' : 'without'} prepared statements`
  return [fine('Sessions', `version, encoding and settings are as needed${behind}`)]
}

async function checkMigrations(db: Kysely<Database>): Promise<Finding> {
  const missing = await findMissingMigrations(db)
  if (missing.length > 0)
    return wrong('Migrations', `${missing.length} missing, first ${missing[0]}`, 'run `npm run migrate`')
  const known = listMigrationFiles().length
  const newer = (await listAppliedMigrations(db)).length - known
  return newer > 0
    ? doubtful(
        'Migrations',
        `all ${known} applied, and ${newer} of a newer version`,
        'nothing, during a release',
      )
    : fine('Migrations', `all ${known} applied`)
}

async function checkConnections({ database }: Config, db: Kysely<Database>): Promise<Finding> {
  const { most, used, by } = await readConnectionUse(db)
  const each = `a server opens up to ${database.poolSize + SERVER_BESIDE}, a worker up to ${database.poolSize + WORKER_BESIDE}`
  const found = `${used} of ${most} in use; ${each}`
  const ours = by
    .filter(({ name }) => name.startsWith('leadwire-'))
    .map(({ name, count }) => `${name} ${count}`)
  const told = ours.length === 0 ? found : `${found} (${ours.join(', ')})`
  if (used > most * CROWDED)
    return wrong(
      'Connections',
      told,
      'raise max_connections, lower DATABASE_POOL_SIZE, or put a pooler in between',
    )
  return most - used < database.poolSize + SERVER_BESIDE
    ? doubtful(
        'Connections',
        told,
        'another server would find too few; raise max_connections before you add one',
      )
    : fine('Connections', told)
}

async function checkSecretsKey(config: Config, db: Kysely<Database>): Promise<Finding> {
  try {
    // Without a proof nothing is sealed yet, and asking for the key would make one.
    if ((await readStoredKeys(db)).proof === undefined)
      return fine('SECRETS_KEY', 'nothing is sealed yet; the first process keeps a proof of its key')
    await takeKeyring(config, db)
    return fine('SECRETS_KEY', "opens the database's secrets")
  } catch (error) {
    const advice = 'give this process the SECRETS_KEY under which the database was used'
    return wrong('SECRETS_KEY', explainFailure(error).split('\n')[0] ?? '', advice)
  }
}
