// Runs against a PostgreSQL whose administrator or country has chosen other defaults than ours.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { readSessionSettings } from '#core/data/read-session-settings.ts'
import { listSettings } from '#core/data/session-settings.ts'
import { listMigrationFiles } from '#core/migrations.ts'
import { startServer, startWorker, type LabServer } from '#scripts/lab/start-product.ts'
import type { LabProcess } from '#scripts/lab/start-process.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { migrateDatabase } from '#scripts/migrate-database.ts'
import { administer, databaseNamed, dropDatabase } from '#scripts/services/test-services.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { findForgottenDefaults, setOddDefaults } from '#tests/support/services/odd-defaults.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { askServer } from '../../support/ask-server.ts'

const EMAIL = 'admin@example.com'
let environment: LabEnvironment
let server: LabServer
let worker: LabProcess
let receiver: Receiver
let token: string

beforeAll(async () => {
  receiver = await startReceiver(200)
  environment = await createTestEnvironment({ SEED_ADMIN_EMAIL: EMAIL, SEED_ADMIN_PASSWORD: PASSWORD })
  const database = new URL(environment.databaseUrl).pathname.slice(1)
  await setOddDefaults(environment.databaseUrl, database)
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

const call = (method: string, path: string, body?: unknown, bearer = token) =>
  askServer(server.url, { method, path, body, bearer })

const aWebhook = (name: string) => ({
  webhook_name: name,
  endpoint_url: receiver.url,
  trigger_on_lead_created: true,
  trigger_on_lead_assigned: false,
})

test('a lead is delivered and its log has the right times, whatever the server’s date format', async () => {
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

test('webhooks can be created and deleted at the same time', async () => {
  const names = Array.from({ length: 24 }, (_, index) => `Side ${index}`)
  const made = await Promise.all(names.map((name) => call('POST', '/api/v1/webhook-configs', aWebhook(name))))
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))

  const gone = await Promise.all(
    made.map(({ json }) => call('DELETE', `/api/v1/webhook-configs/${String(json['id'])}`)),
  )
  expect(new Set(gone.map(({ status }) => status))).toEqual(new Set([204]))
})

test('a new database can be migrated with these defaults', async () => {
  const name = `leadwire_foreign_${randomBytes(4).toString('hex')}`
  await administer(environment.databaseUrl, `create database ${name}`)
  await setOddDefaults(environment.databaseUrl, name)
  const applied = await migrateDatabase(databaseNamed(environment.databaseUrl, name))
  await dropDatabase(environment.databaseUrl, name)

  expect(applied).toEqual(listMigrationFiles().map((file) => file.name))
})

describe('every session sets the settings that it needs', () => {
  test('by every name, although each has an unusual default here', () => {
    expect(findForgottenDefaults()).toEqual([])
  })

  test.for([
    { kind: 'plain' },
    { kind: 'by_key', byKey: true },
    { kind: 'in_line', byKey: true, inLine: true },
  ] as const)('with $kind, beside the settings in the URL', async ({ kind, ...planned }) => {
    const url = new URL(environment.databaseUrl)
    url.searchParams.set('options', '-c jit=on -c work_mem=7MB')
    const { db, close } = openDatabase(
      { url: url.href, poolSize: 1, name: 'test', ...planned },
      () => undefined,
    )
    const wanted: Record<string, string> = { ...listSettings(kind), work_mem: '7MB' }
    const { settings } = await readSessionSettings(db, Object.keys(wanted))
    await close()

    expect(settings).toMatchObject({
      datestyle: 'ISO, MDY',
      timezone: 'UTC',
      jit: 'off',
      statement_timeout: '30s',
    })
    // PostgreSQL has `transaction_timeout` since version 17.
    for (const [name, value] of Object.entries(settings))
      expect([name, value ?? wanted[name]]).toEqual([name, wanted[name]])
  })
})
