import { afterAll } from 'vitest'
import { startApp, type CallResult, type TestApp, type TestSource } from '../../support/start-app.ts'

/** Starts a server with a source without a client, for all tests of the file. */
export async function startWithSource(): Promise<{
  app: TestApp
  source: TestSource
  /** Posts a lead as the source, or with the given key. */
  post: (body: unknown, headers?: Record<string, string>, key?: string) => Promise<CallResult>
  count: (table: 'leads' | 'events') => Promise<number>
}> {
  const app = await startApp()
  afterAll(() => app.close())
  const source = await app.newSource()
  return {
    app,
    source,
    post: (body, headers = {}, key = source.key) =>
      app.call('POST', '/api/v1/leads', { token: key, body, headers }),
    count: async (table) => {
      const counted = await app.context.db
        .selectFrom(table)
        .select((row) => row.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
      return Number(counted.n)
    },
  }
}
