import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Database } from './schema/tables.ts'

/**
 * Runs a transaction whose statements need not wait for each other: those that are called together are sent together, and PostgreSQL
 * runs them in that order, each with what it sees when its turn comes. For work of many small statements, whose round trips would be
 * most of its time. Once one has failed, no other is sent.
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
      const { command } = await line.send('commit', [])
      if (command !== 'COMMIT') throw new Error('PostgreSQL did not commit a transaction')
      return result
    } catch (error) {
      // It is answered when all before it are.
      await client.query('rollback', []).catch(() => {
        isLost = true
      })
      throw line.failures[0] ?? error
    } finally {
      client.release(isLost)
    }
  }
}

type Send = (text: string, values: readonly unknown[]) => Promise<{ command: string }>

function openLine(client: PostgresPoolClient): { send: Send; failures: readonly unknown[] } {
  const failures: unknown[] = []
  async function send(text: string, values: readonly unknown[]): Promise<{ command: string }> {
    if (failures.length > 0) throw failures[0]
    try {
      return await client.query(text, values)
    } catch (error) {
      failures.push(error)
      throw error
    }
  }
  return { send, failures }
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
