import { afterAll } from 'vitest'
import { startApp, type CallResult, type Person, type TestApp } from '../support/start-app.ts'

/** Starts a server with two clients for all tests of the file; it is closed after the last one. */
export async function startForTwo(): Promise<{
  app: TestApp
  client: Person
  other: Person
  /** Reads as `client`, or as the given person. */
  get: (path: string, who?: Person) => Promise<CallResult>
}> {
  const app = await startApp()
  afterAll(() => app.close())
  const client = await app.newClient()
  const other = await app.newClient()
  const get = (path: string, who = client) => app.call('GET', path, { token: who.token })
  return { app, client, other, get }
}
