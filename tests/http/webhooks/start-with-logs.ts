import { afterAll } from 'vitest'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { createLogRows, type LogRows } from './log-rows.ts'

/** Starts a server with a client whose deliveries tests can create, for all tests of the file. */
export async function startWithLogs(): Promise<{ app: TestApp; client: Person; rows: LogRows }> {
  const app = await startApp()
  afterAll(() => app.close())
  const client = await app.newClient()
  return { app, client, rows: createLogRows(app, client) }
}
