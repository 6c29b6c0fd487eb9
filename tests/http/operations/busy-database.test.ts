import pg from 'pg'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { recogniseError } from '#server/http/errors/recognise-error.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { startServer, type LabServer } from '#scripts/lab/start-product.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { PASSWORD } from '#tests/support/given/password.ts'

const EMAIL = 'marked-admin@example.com'

let environment: LabEnvironment
let server: LabServer
let locks: pg.Client
let token: string | undefined
beforeAll(async () => {
  environment = await createTestEnvironment({ SEED_ADMIN_EMAIL: EMAIL, SEED_ADMIN_PASSWORD: PASSWORD })
  server = await startServer({ ...environment.env, LOG_LEVEL: 'info' })
  locks = new pg.Client({ connectionString: environment.databaseUrl })
  await locks.connect()
  const answer = await call('POST', '/auth/v1/token?grant_type=password', {
    email: EMAIL,
    password: PASSWORD,
  })
  token = ((await answer.json()) as { access_token: string }).access_token
})
afterEach(() => locks.query('rollback'))
afterAll(async () => {
  await locks.end()
  await server.stop()
  await environment.close()
})

function call(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(server.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Sends a call while a table is locked, and ends the waiting statement as its time limit would. */
async function callPastTheLimit(table: string, ask: () => Promise<Response>): Promise<Response> {
  await locks.query(`begin; lock table ${table} in access exclusive mode`)
  const answer = ask()
  await waitUntil(
    async () => {
      const { rowCount } = await locks.query(`
        select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database()
          and application_name = 'leadwire-server' and wait_event_type = 'Lock'`)
      return (rowCount ?? 0) > 0
    },
    { what: 'A statement of the server waiting' },
  )
  return await answer
}

describe('a statement above its time limit is a 503 that says when to retry', () => {
  const problem = { status: 503, code: 'unavailable' }
  const onWire = { error_code: 'unexpected_failure', code: 503 }
  test.each([
    ['at the API', 'leads', 'GET', '/api/v1/leads', undefined, problem],
    [
      'where leads come in',
      'leads',
      'POST',
      '/api/v1/leads',
      { first_name: 'Marked', email: EMAIL },
      problem,
    ],
    [
      'at a function',
      'auth.mailed_codes',
      'POST',
      '/functions/v1/verify-otp',
      { email: EMAIL, otp: '123456' },
      problem,
    ],
    ['at the queue dashboard', 'auth.sessions', 'GET', '/admin/queues', undefined, problem],
    [
      'on the authentication wire',
      'auth.users',
      'POST',
      '/auth/v1/token?grant_type=password',
      { email: EMAIL, password: PASSWORD },
      onWire,
    ],
  ] as const)('%s', async (_where, table, method, path, body, says) => {
    const begin = server.output().length
    const answer = await callPastTheLimit(table, () => call(method, path, body))

    expect({ status: answer.status, retryAfter: answer.headers.get('retry-after') }).toEqual({
      status: 503,
      retryAfter: '2',
    })
    expect(await answer.json()).toMatchObject(says)
    const said = await waitUntil(
      () => server.output().slice(begin).includes('57014') && server.output().slice(begin),
    )
    expect(said.split('"57014"')).toHaveLength(2)
    expect(said).not.toMatch(/marked/i)
  })

  test('at /readyz', async () => {
    const answer = await callPastTheLimit('kysely_migration', () => call('GET', '/readyz'))

    expect({ status: answer.status, retryAfter: answer.headers.get('retry-after') }).toEqual({
      status: 503,
      retryAfter: '2',
    })
    expect(await answer.json()).toMatchObject({ missing: ['database'] })
  })
})

test('a server whose database becomes read-only reports that, and works again afterwards', async () => {
  const setReadOnly = (value: string) =>
    locks.query(`
      do $$ begin execute format('alter database %I ${value}', current_database()); end $$`)
  const isReady = async () => (await call('GET', '/readyz')).status === 200
  await setReadOnly('set default_transaction_read_only = on')
  await locks.query(`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
      and application_name = 'leadwire-server'`)
  await waitUntil(async () => !(await isReady()))
  const refused = await call('POST', '/api/v1/admin/sources', { name: 'Marked' })
  await setReadOnly('reset default_transaction_read_only')

  expect({ status: refused.status, retryAfter: refused.headers.get('retry-after') }).toEqual({
    status: 503,
    retryAfter: '2',
  })
  await waitUntil(isReady)
  expect((await call('POST', '/api/v1/admin/sources', { name: 'Marked' })).status).toBe(201)
})

describe('an error of the database', () => {
  test.each([
    ['a statement past its time', '57014'],
    ['a transaction that rested too long', '25P03'],
    ['a deadlock', '40P01'],
    ['a conflict', '40001'],
    ['a lock that was not to be had', '55P03'],
  ])('%s is reported as a busy database', async (_what, code) => {
    const error = await locks
      .query(`do $$ begin raise exception using errcode = '${code}'; end $$`)
      .catch((error_: unknown) => error_)

    expect(recogniseError(error)).toBe('database_busy')
  })

  test.each([
    ['a server without a free connection', '53300'],
    ['a server on which nothing can be written', '25006'],
  ])('%s is reported as a missing database', async (_what, code) => {
    const error = await locks
      .query(`do $$ begin raise exception using errcode = '${code}'; end $$`)
      .catch((error_: unknown) => error_)

    expect(recogniseError(error)).toBe('database_away')
  })

  test('a silent connection is reported as a busy database, in a transaction too', async () => {
    const { db, close } = openDatabase(
      { url: environment.databaseUrl, poolSize: 1, name: 'silent', silenceMs: 100 },
      () => undefined,
    )
    const alone = await sql`select pg_sleep(2)`.execute(db).catch((error_: unknown) => error_)
    const within = await db
      .transaction()
      .execute((trx) => sql`select pg_sleep(2)`.execute(trx))
      .catch((error_: unknown) => error_)
    await close()

    expect([recogniseError(alone), recogniseError(within)]).toEqual(['database_busy', 'database_busy'])
  })
})
