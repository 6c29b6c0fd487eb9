// A PostgreSQL whose administrator, or whose country, has chosen other defaults than we test with.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import pg from 'pg'
import { openDatabase } from '#core/data/database.ts'
import { openWithSettings } from '#core/data/session-settings.ts'
import { listMigrationFiles } from '#core/migrations.ts'
import { startServer, startWorker, type LabServer } from '#scripts/lab/start-product.ts'
import type { LabProcess } from '#scripts/lab/start-process.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { migrateDatabase } from '#scripts/migrate-database.ts'
import { administer, databaseNamed, dropDatabase } from '#scripts/services/test-services.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { PASSWORD } from '#tests/support/given/password.ts'

const EMAIL = 'admin@example.com'
const DEFAULTS = {
  array_nulls: 'off',
  bytea_output: `'escape'`,
  datestyle: `'SQL, DMY'`,
  default_transaction_deferrable: 'on',
  default_transaction_isolation: `'repeatable read'`,
  extra_float_digits: '-15',
  intervalstyle: `'iso_8601'`,
  jit: 'on',
  jit_above_cost: '0',
  lock_timeout: '1',
  statement_timeout: '500',
  standard_conforming_strings: 'off',
  timezone: `'Asia/Kathmandu'`,
  transform_null_equals: 'on',
}

let environment: LabEnvironment
let server: LabServer
let worker: LabProcess
let receiver: Receiver
let token: string

beforeAll(async () => {
  receiver = await startReceiver(200)
  environment = await createTestEnvironment({ SEED_ADMIN_EMAIL: EMAIL, SEED_ADMIN_PASSWORD: PASSWORD })
  const database = new URL(environment.databaseUrl).pathname.slice(1)
  for (const [name, value] of Object.entries(DEFAULTS))
    await administer(environment.databaseUrl, `alter database ${database} set ${name} = ${value}`)
  ;[server, worker] = await Promise.all([startServer(environment.env), startWorker(environment.env)])
  const session = await call('POST', '/auth/v1/token?grant_type=password', {
    email: EMAIL,
    password: PASSWORD,
  })
  token = String(session.json['access_token'])
})
afterAll(async () => {
  await worker.stop()
  await server.stop()
  await receiver.close()
  await environment.close()
})

async function call(
  method: string,
  path: string,
  body?: unknown,
  bearer = token,
): Promise<{ status: number; json: Record<string, unknown> }> {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
}

const aWebhook = (name: string) => ({
  webhook_name: name,
  endpoint_url: receiver.url,
  trigger_on_lead_created: true,
  trigger_on_lead_assigned: false,
})

test('a lead is delivered and its log tells when, whatever form the server writes times in', async () => {
  const before = Date.now()
  const webhook = await call('POST', '/api/v1/webhook-configs', aWebhook('CRM'))
  expect(Date.parse(String(webhook.json['created_at']))).toBeGreaterThan(before - 60_000)
  const source = await call('POST', '/api/v1/admin/sources', { name: 'Page' })
  const lead = { lead_type: 'final_expense', name: 'Ana Example', phone: '+12025550143', state: 'CA' }
  expect((await call('POST', '/api/v1/leads', lead, String(source.json['api_key']))).status).toBe(201)

  await waitUntil(() => receiver.requests.length > 0, { what: 'The delivery' })
  const logs = `/api/v1/webhook-configs/${String(webhook.json['id'])}/delivery-logs`
  const rowsOf = async () => (await call('GET', logs)).json['data'] as Record<string, unknown>[]
  await waitUntil(async () => (await rowsOf())[0]?.['delivery_status'] === 'delivered', { what: 'The log' })
  const [row] = await rowsOf()
  expect(Math.abs(Date.parse(String(row?.['created_at'])) - before)).toBeLessThan(60_000)
})

test('webhooks that are created and deleted side by side are, each of them', async () => {
  const names = Array.from({ length: 24 }, (_, index) => `Side ${index}`)
  const made = await Promise.all(names.map((name) => call('POST', '/api/v1/webhook-configs', aWebhook(name))))
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))

  const gone = await Promise.all(
    made.map(({ json }) => call('DELETE', `/api/v1/webhook-configs/${String(json['id'])}`)),
  )
  expect(new Set(gone.map(({ status }) => status))).toEqual(new Set([204]))
})

test('a new database is migrated under them', async () => {
  const name = `leadwire_foreign_${randomBytes(4).toString('hex')}`
  await administer(environment.databaseUrl, `create database ${name}`)
  for (const [setting, value] of Object.entries(DEFAULTS))
    await administer(environment.databaseUrl, `alter database ${name} set ${setting} = ${value}`)
  // PostgreSQL has it since 17.
  await administer(
    environment.databaseUrl,
    `do $$ begin
      if current_setting('transaction_timeout', true) is not null then
        alter database ${name} set transaction_timeout = '300ms';
      end if;
    end $$`,
  )
  const applied = await migrateDatabase(databaseNamed(environment.databaseUrl, name))
  await dropDatabase(environment.databaseUrl, name)

  expect(applied).toEqual(listMigrationFiles().map((file) => file.name))
})

test('every session states what it relies on, beside what the URL asks for', async () => {
  const url = new URL(environment.databaseUrl)
  url.searchParams.set('options', '-c jit=on -c work_mem=7MB')
  const { db, close } = openDatabase(
    { url: url.href, poolSize: 1, name: 'test', byKey: true },
    () => undefined,
  )
  const client = new pg.Client(openWithSettings(environment.databaseUrl))
  await client.connect()
  const { rows: settings } = await client.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where lower(name) = any($1)',
    [Object.keys(DEFAULTS)],
  )
  await client.end()
  const kept = await db
    .selectNoFrom((eb) => [
      eb.fn<string>('current_setting', [eb.val('work_mem')]).as('work_mem'),
      eb.fn<string>('current_setting', [eb.val('jit')]).as('jit'),
      eb.fn<string>('current_setting', [eb.val('enable_seqscan')]).as('seqscan'),
    ])
    .executeTakeFirstOrThrow()
  await close()

  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toMatchObject({
    array_nulls: 'on',
    transform_null_equals: 'off',
    bytea_output: 'hex',
    DateStyle: 'ISO, MDY',
    default_transaction_deferrable: 'off',
    default_transaction_isolation: 'read committed',
    IntervalStyle: 'postgres',
    jit: 'off',
    standard_conforming_strings: 'on',
    TimeZone: 'UTC',
  })
  expect(kept).toEqual({ work_mem: '7MB', jit: 'off', seqscan: 'off' })
})
