import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
} from 'kysely'

/** Answers a statement that only reads. The rows decide what a migration does next, such as which partitions it changes. */
export type Answer = (query: CompiledQuery) => Promise<QueryResult<unknown>>

/** Finds nothing, for a reader that has no database. */
export const findNothing: Answer = () => Promise.resolve({ rows: [] })

/**
 * Lists the statements of one direction of a migration in their order, without executing those that write.
 * @param isRead whether a statement only reads, and so is answered
 */
export async function recordStatements(
  run: (db: Kysely<unknown>) => Promise<void>,
  isRead: (statement: string) => boolean,
  answer: Answer = findNothing,
): Promise<string[]> {
  const statements: string[] = []
  const connection: DatabaseConnection = {
    executeQuery: async <Row>(query: CompiledQuery) => {
      if (isRead(query.sql)) return (await answer(query)) as QueryResult<Row>
      statements.push(query.sql)
      return { rows: [] }
    },
    // oxlint-disable-next-line require-yield -- no migration streams
    async *streamQuery() {
      throw new Error('A migration does not stream')
    },
  }
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new RecordingDriver(connection),
      createIntrospector: (inner) => new PostgresIntrospector(inner),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  await run(db)
  await db.destroy()
  return statements
}

class RecordingDriver extends DummyDriver {
  readonly #connection: DatabaseConnection
  constructor(connection: DatabaseConnection) {
    super()
    this.#connection = connection
  }
  override acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this.#connection)
  }
}
