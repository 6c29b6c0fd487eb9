import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
} from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import { anything } from './anything.ts'

/** A chore that goes on while there is more would never end here. */
const MOST_STATEMENTS = 60

/**
 * A database that runs nothing and keeps the text of what it was asked.
 * @param answersRow whether each statement answers one row, which has whatever is asked of it, or none
 */
export function recordStatements(answersRow: boolean): { db: Kysely<Database>; texts: Set<string> } {
  const texts = new Set<string>()
  let asked = 0
  const connection: DatabaseConnection = {
    executeQuery: async ({ sql }) => {
      texts.add(sql)
      asked += 1
      if (asked > MOST_STATEMENTS) throw new Error('enough')
      return await Promise.resolve({
        rows: answersRow ? [anything() as never] : [],
        numAffectedRows: answersRow ? 1n : 0n,
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

/** Calls every function that a module exports with anything at all, and returns the statements that came of it. */
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

/** What comes of it does not matter, only what was asked on the way; a loop without an end neither. */
async function callQuietly(call: (...given: unknown[]) => unknown, given: unknown[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 1000)
  })
  try {
    await Promise.race([call(...given), late])
  } catch {
    // An argument that was not what it seemed to be.
  } finally {
    clearTimeout(timer)
  }
}
