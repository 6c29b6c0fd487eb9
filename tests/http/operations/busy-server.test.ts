import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { recogniseError } from '#server/http/errors/recognise-error.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

const CONNECTIONS = 2

let app: TestApp
beforeAll(async () => {
  app = await startApp({ DATABASE_POOL_SIZE: String(CONNECTIONS) })
})
afterAll(() => app.close())

const BUSY = 'The server is busy: too many requests wait for its database. Please try again in 5 seconds.'

test.concurrent('a caller that gets no connection in time learns that the server is busy and when to retry, on every API', async () => {
  const { db } = app.context
  const isFree = Promise.withResolvers<void>()
  const taken = Array.from({ length: CONNECTIONS }, () => Promise.withResolvers<void>())
  const holding = taken.map(({ resolve }) =>
    db.connection().execute(async (connection) => {
      await sql`select 1`.execute(connection)
      resolve()
      await isFree.promise
    }),
  )
  await Promise.all(taken.map(({ promise }) => promise))
  const form = new URLSearchParams({
    name: 'Rosa Example',
    email: 'rosa@example.com',
    topic: 'support',
    message: 'A message of more than ten characters',
  })
  const [api, auth, contact] = await Promise.all([
    app.call('GET', '/api/v1/account', { token: app.admin.token }),
    app.call('POST', '/auth/v1/token?grant_type=password', {
      body: { email: 'nobody@example.com', password: 'Correct-Horse-9' },
    }),
    fetch(`${app.url}/contact`, { method: 'POST', body: form, redirect: 'manual' }),
  ])
  isFree.resolve()
  await Promise.all(holding)

  expect(api).toMatchObject({ status: 503, json: { code: 'unavailable', detail: BUSY } })
  expect(auth.status).toBe(503)
  expect(auth.text).toContain(BUSY)
  expect([api, auth, contact].map(({ headers }) => headers.get('retry-after'))).toEqual(['5', '5', '5'])
  expect((await app.call('GET', '/api/v1/me', { token: app.admin.token })).status).toBe(200)
})

test.concurrent('a connection that could not be opened in time is reported as a missing database', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { db, close } = openDatabase(
    { url: `postgres://nobody@127.0.0.1:${port}/nothing`, poolSize: 1, name: 'silent' },
    () => undefined,
  )
  const error = await sql`select 1`.execute(db).catch((error_: unknown) => error_)
  await close()
  silent.close()

  expect(recogniseError(error)).toBe('database_away')
})
