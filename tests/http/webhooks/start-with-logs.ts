import { afterAll } from 'vitest'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { createLogRows, type LogRows } from './log-rows.ts'

/** A server and a client whose deliveries can be made up, for all tests of the file that asks. */
export async function startWithLogs(): Promise<{ app: TestApp; client: Person; rows: LogRows }> {
  const app = await startApp()
  afterAll(() => app.close())
  const client = await app.newClient()
  return { app, client, rows: createLogRows(app, client) }
}
