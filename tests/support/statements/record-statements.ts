import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
} from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import { anything } from './anything.ts'

/** A chore that continues while there is more would never end here. */
const MOST_STATEMENTS = 80

/**
 * A database that runs nothing and records the statements.
 * @param answer true if each statement returns one row with every member, a row for that one, false for no rows
 */
export function recordStatements(answer: boolean | Readonly<Record<string, unknown>>): {
  db: Kysely<Database>
  texts: Set<string>
} {
  const row = answer === true ? anything() : answer
  const texts = new Set<string>()
  let asked = 0
  const connection: DatabaseConnection = {
    executeQuery: async ({ sql }) => {
      texts.add(sql)
      asked += 1
      if (asked > MOST_STATEMENTS) throw new Error('enough')
      return await Promise.resolve({
        rows: row === false ? [] : [row as never],
        numAffectedRows: row === false ? 0n : 1n,
      })
    },
    streamQuery: () => {
      throw new Error('nothing streams')
    },
  }
  const nothing = async (): Promise<void> => await Promise.resolve()
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: nothing,
        acquireConnection: async () => await Promise.resolve(connection),
        beginTransaction: nothing,
        commitTransaction: nothing,
        rollbackTransaction: nothing,
        releaseConnection: nothing,
        destroy: nothing,
      }),
    },
  })
  return { db, texts }
}

/** Calls every exported function of a module with stand-in arguments, and returns the recorded statements. */
export async function recordModule(module: Record<string, unknown>): Promise<Set<string>> {
  const found = new Set<string>()
  for (const make of Object.values(module).filter((one) => typeof one === 'function')) {
    for (const answersRow of [true, false])
      for (const argument of [anything, () => undefined, () => [], () => 1]) {
        const { db, texts } = recordStatements(answersRow)
        const given = Array.from({ length: 5 }, argument)
        await callQuietly(make as (...given: unknown[]) => unknown, [db, ...given])
        for (const text of texts) found.add(text)
      }
  }
  return found
}

/**
 * Ignores the result and errors, because only the recorded statements matter; an endless loop is ended too.
 */
async function callQuietly(call: (...given: unknown[]) => unknown, given: unknown[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 1000)
  })
  try {
    await Promise.race([call(...given), late])
  } catch {
    // A stand-in argument may cause any error.
  } finally {
    clearTimeout(timer)
  }
}
