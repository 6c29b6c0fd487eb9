import type { PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { SessionKind } from '../session-settings.ts'
import type { OpenedConnection } from './open-pool.ts'
import { setInTransactions, type Send } from './set-in-transactions.ts'

/** pg's message (version 8.23); the error has no code. */
const READ_TIMEOUT = 'Query read timeout'
/**
 * The connection reached a server that is read-only: a standby that had the address for a moment, or a host whose disk
 * is full. It stays read-only; the next connection may reach the new owner of the address.
 */
const IS_READ_ONLY = '25006'
/** Statements this long cost more to plan than to run. */
const PREPARED_FROM_CHARACTERS = 1000
/**
 * Stands at the head of a statement whose best plan depends on its values: clients have few leads or many, and states
 * are common or rare.
 */
const PLANNED_EACH_TIME = '/* planned for its values */'
/**
 * Limit of prepared statements on a connection, which keeps them for its whole life. Only the combinations of a list's
 * filters make so many different statements. Statements beyond the limit are planned each time.
 */
const MOST_PREPARED = 300

/**
 * Wraps the connections of a pool: they prepare each statement that is long enough under a name, and keep its plan. A
 * connection that fell silent, or whose server hangs up, does not return to the pool.
 */
export function prepareStatements(
  connect: () => Promise<OpenedConnection>,
  kind: SessionKind,
): () => Promise<PostgresPoolClient> {
  const nameOf = createNames(kind === 'plain' ? PREPARED_FROM_CHARACTERS : 0)
  return async () => {
    const { client, pooler } = await connect()
    // Behind a pooler nobody can discard the plans of the first in line (forget-plans.ts).
    const prepares = pooler === undefined || (pooler.prepares && kind !== 'in_line')
    let isSilent = false
    let isLost = false
    const send: Send = async (text, values) => {
      // The connection is silent, so a rollback would only wait once more.
      if (isSilent) throw new Error('The database connection fell silent')
      try {
        const name = values.length === 0 || !prepares ? undefined : nameOf(text)
        return await (name === undefined
          ? client.query(text, [...values])
          : client.query({ name, text, values: [...values] }))
      } catch (error) {
        isSilent = error instanceof Error && error.message === READ_TIMEOUT
        // After a fatal error the server hangs up; without this, the next user of the connection would be the first
        // to notice.
        isLost ||=
          error instanceof pg.DatabaseError && (error.severity === 'FATAL' || error.code === IS_READ_ONLY)
        throw error
      }
    }
    const query = pooler === undefined ? send : setInTransactions(send, kind, pooler)
    return {
      // Kysely uses the overload with a cursor only for streaming, which nothing here does.
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => {
        client.release(isSilent || isLost || destroy)
      },
    }
  }
}

function createNames(fromCharacters: number): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    if (text.length < fromCharacters || text.trimStart().startsWith(PLANNED_EACH_TIME)) return undefined
    const known = names.get(text)
    if (known !== undefined || names.size >= MOST_PREPARED) return known
    const name = `leadwire_${names.size + 1}`
    names.set(text, name)
    return name
  }
}
