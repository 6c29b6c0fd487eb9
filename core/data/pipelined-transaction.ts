import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Database } from './schema/tables.ts'

/**
 * Runs a transaction whose statements need not wait for each other. Statements that are called together are sent
 * together; PostgreSQL runs them in that order, each with a snapshot of its own. It is for work with many small
 * statements, whose round trips would take most of the time. Once a statement has failed, or the work has ended, no
 * other is sent.
 * @throws the first failure: PostgreSQL refuses every statement sent after it
 */
export type Transact = <T>(work: (trx: Kysely<Database>) => Promise<T>) => Promise<T>

/**
 * @param pool its connections send a statement without waiting for the previous answer (`pipelined` of openDatabase)
 */
export function pipelineTransactions(pool: PostgresPool): Transact {
  return async (work) => {
    const client = await pool.connect()
    const line = openLine(client)
    let isLost = false
    try {
      // The first statements of the work are sent together with it.
      const [, result] = await Promise.all([line.send('begin', []), work(onConnection(pool, line.send))])
      const committed = line.send('commit', [])
      line.end(new Error('A statement came after the end of its transaction'))
      const { command } = await committed
      if (command !== 'COMMIT') throw new Error('PostgreSQL did not commit a transaction')
      return result
    } catch (error) {
      // Statements called beside the failed one may not have been sent yet: they would run on their own after the
      // rollback.
      line.end(error)
      // The answer to the rollback comes after all earlier answers.
      await client.query('rollback', []).catch(() => {
        isLost = true
      })
      throw line.failure() ?? error
    } finally {
      client.release(isLost)
    }
  }
}

type Send = (text: string, values: readonly unknown[]) => Promise<{ command: string }>

interface Line {
  send: Send
  /** Sends nothing any more, and rejects further calls with this reason. */
  end: (why: unknown) => void
  /** the first failure of a sent statement */
  failure: () => unknown
}

function openLine(client: PostgresPoolClient): Line {
  const failures: unknown[] = []
  const ends: unknown[] = []
  async function send(text: string, values: readonly unknown[]): Promise<{ command: string }> {
    if (failures.length > 0) throw failures[0]
    if (ends.length > 0) throw ends[0]
    try {
      return await client.query(text, values)
    } catch (error) {
      failures.push(error)
      throw error
    }
  }
  return { send, end: (why) => void ends.push(why), failure: () => failures[0] }
}

/** Kysely makes the statements of its own transactions wait for each other, but not those of a database. */
function onConnection(pool: PostgresPool, send: Send): Kysely<Database> {
  // Kysely uses the overload with a cursor only for streaming, which nothing here does.
  const client = { query: send as unknown as PostgresPoolClient['query'], release: () => undefined }
  const connection = {
    options: pool.options,
    connect: () => Promise.resolve(client),
    end: () => Promise.resolve(),
  }
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: connection }) })
}
