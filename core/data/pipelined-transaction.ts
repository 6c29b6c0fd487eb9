import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Database } from './schema/tables.ts'

/**
 * Runs a transaction whose statements need not wait for each other: those that are called together are sent together, and PostgreSQL
 * runs them in that order, each with what it sees when its turn comes. For work of many small statements, whose round trips would be
 * most of its time. Once one has failed, or the work has ended, no other is sent.
 * @throws what failed first: PostgreSQL refuses whatever was sent behind it
 */
export type Transact = <T>(work: (trx: Kysely<Database>) => Promise<T>) => Promise<T>

/** @param pool whose connections do not wait for an answer before they send the next statement (`pipelined` of openDatabase) */
export function pipelineTransactions(pool: PostgresPool): Transact {
  return async (work) => {
    const client = await pool.connect()
    const line = openLine(client)
    let isLost = false
    try {
      // What the work does first goes with it.
      const [, result] = await Promise.all([line.send('begin', []), work(onConnection(pool, line.send))])
      const committed = line.send('commit', [])
      line.end(new Error('A statement came after the end of its transaction'))
      const { command } = await committed
      if (command !== 'COMMIT') throw new Error('PostgreSQL did not commit a transaction')
      return result
    } catch (error) {
      // What was called beside what failed may not have been sent yet: it would run by itself behind the rollback.
      line.end(error)
      // It is answered when all before it are.
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
  /** Sends nothing any more, and says why. */
  end: (why: unknown) => void
  /** what failed first of what was sent */
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

/** Kysely has the statements of a transaction of its own wait for each other, those of a database it has not. */
function onConnection(pool: PostgresPool, send: Send): Kysely<Database> {
  // Kysely calls it with a cursor, the other overload, only when it streams, which nothing here does.
  const client = { query: send as unknown as PostgresPoolClient['query'], release: () => undefined }
  const connection = {
    options: pool.options,
    connect: () => Promise.resolve(client),
    end: () => Promise.resolve(),
  }
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: connection }) })
}
