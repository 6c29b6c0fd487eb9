import type { Kysely } from 'kysely'
import { createClosing } from '#core/closing.ts'
import { loadConfig, type Config, type ConfigNeeds } from '#core/config/config.ts'
import { openDatabase } from '#core/data/database.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { requireMigrations } from '#core/migrations.ts'
import { openProducerConnection, type RedisConnection } from '#core/queue/redis.ts'
import { CommandError } from './failures.ts'

/** The services that a command opens; all are closed after it. */
export interface Services {
  /**
   * The environment of a worker.
   * @param needs values for variables that the command does not use
   * @throws ConfigError
   */
  config: (needs?: ConfigNeeds) => Config
  /**
   * A pool of its own, two connections at most. Statements are limited to 30 s, unless the command lifts that in its
   * transaction and says so with `slow`. A slow one goes to PostgreSQL itself: through a transaction pooler it would keep a
   * session from others, and could make no database.
   * @throws ConfigError if the schema is not that of this version
   */
  database: (options?: { needs?: ConfigNeeds; slow?: boolean }) => Promise<Kysely<Database>>
  /** The same pool, whatever its schema; nothing is asked of it yet. */
  anyDatabase: (options?: { needs?: ConfigNeeds; slow?: boolean }) => Kysely<Database>
  /**
   * A connection to Redis, once it answers.
   * @throws CommandError if it does not answer within 3 s
   */
  redis: () => Promise<RedisConnection>
  /** Has this closed after the command. */
  closeAfter: (name: string, close: () => Promise<void>) => void
  close: () => Promise<void>
}

/** For commands that do not use Redis. */
export const WITHOUT_REDIS: ConfigNeeds = { standIns: { REDIS_URL: 'redis://not-asked' } }
const REDIS_PATIENCE_MS = 3000
/** A statement that reads whole tables; verify's help says how long that takes. */
export const SLOW_SILENCE_MS = 6 * 3600 * 1000

export function openServices(
  environment: Readonly<Record<string, string | undefined>>,
  command: string,
): Services {
  const { keep, close } = createClosing()
  const config: Services['config'] = (needs) => loadConfig(environment, needs)
  const anyDatabase: Services['anyDatabase'] = ({ needs = {}, slow = false } = {}) => {
    const { database } = config(needs)
    const name = `leadwire-${command.replaceAll(' ', '-')}`
    const slowly = slow ? { url: database.directUrl, silenceMs: SLOW_SILENCE_MS } : {}
    const options = { ...database, poolSize: 2, name, ...slowly }
    // A connection that breaks fails the query, and that error is reported.
    const { db, close: closeDatabase } = openDatabase(options, () => undefined)
    return keep('PostgreSQL', { part: db, close: closeDatabase })
  }
  return {
    config,
    anyDatabase,
    database: async (options) => {
      const db = anyDatabase(options)
      await requireMigrations(db)
      return db
    },
    redis: async () => {
      const connection = openProducerConnection(config().redis)
      let reason = 'no answer within 3 s'
      connection.on('error', (error: Error) => {
        reason = error.message === '' ? reason : error.message
      })
      keep('Redis', { part: connection, close: () => Promise.resolve(connection.disconnect()) })
      if (!(await becomesReady(connection)))
        throw new CommandError(`REDIS_URL: Redis cannot be used: ${reason}`)
      return connection
    },
    closeAfter: (name, closeIt) => {
      keep(name, { part: undefined, close: closeIt })
    },
    close,
  }
}

async function becomesReady(connection: RedisConnection): Promise<boolean> {
  if (connection.status === 'ready') return true
  const ready = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => ready.resolve(false), REDIS_PATIENCE_MS)
  connection.once('ready', () => ready.resolve(true))
  const isReady = await ready.promise
  clearTimeout(timer)
  return isReady
}
