import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { isDatabaseAway } from '../is-database-away.ts'
import type { Database } from '../schema/tables.ts'

/** PostgreSQL's code for a statement that a replica gave up, because it had to replay a change of the same rows. */
const IS_IN_THE_WAY = '40001'
/** pg's message (version 8.23) for a server that froze; the error has no code. */
const READ_TIMEOUT = 'Query read timeout'
const BEGINS = /^\s*(begin|start transaction)\b/i

/**
 * A database for statements that only read: it takes the other one while `isUsable`. A statement that the other cannot
 * answer is asked again here, so that nobody notices its end.
 */
export function readElsewhere(
  here: PostgresPool,
  other: PostgresPool,
  isUsable: () => boolean,
): Kysely<Database> {
  const pool: PostgresPool = {
    options: here.options,
    end: () => Promise.resolve(),
    connect: async () => {
      const first = isUsable() ? await other.connect().catch(() => undefined) : undefined
      return first === undefined ? await here.connect() : withFallback(first, here)
    },
  }
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}

function withFallback(first: PostgresPoolClient, here: PostgresPool): PostgresPoolClient {
  let present = first
  let isInside = false
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    isInside ||= BEGINS.test(text)
    const asked = present
    try {
      return await asked.query(text, values)
    } catch (error) {
      // A transaction has read from one snapshot, which only its own server has.
      if (isInside || asked !== first || !isOfReplica(error)) throw error
      present = await here.connect()
      first.release(true)
      return await present.query(text, values)
    }
  }
  return {
    // Kysely uses the overload with a cursor only for streaming, which nothing here does.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => {
      present.release(destroy)
    },
  }
}

function isOfReplica(error: unknown): boolean {
  if (isDatabaseAway(error)) return true
  if (!(error instanceof Error)) return false
  return 'code' in error ? error.code === IS_IN_THE_WAY : error.message === READ_TIMEOUT
}
