// No call may block others: each is answered in short turns of the event loop.
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { sharedPostingSpecSchema } from '#core/contract/leads/posting-spec.ts'
import { addDays } from '#core/domain/market/local-moment.ts'
import { apiRoutes } from '#server/api-routes.ts'
import type { Route } from '#server/http/route.ts'
import { givenImport, writeLeads } from '#tests/support/given/imports.ts'
import { givenLogRow } from '#tests/support/given/log-rows.ts'
import { givenOrder } from '#tests/support/given/market.ts'
import { givenConfig } from '#tests/support/given/pipeline.ts'
import { createMakeExports } from '#worker/housekeeping/exports/make-exports.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

/** Most milliseconds of processor time of one turn of the event loop, whatever else runs. */
const MOST_MS = 20
/** The first calls run cold code, and garbage collection may hit one of several. */
const TIMES = 3
/** Above ten thousand leads, days are looked up one by one (server/market/analytics/tally-period.ts). */
const LEADS = 11_000
const DAYS = 366

let app: TestApp
let client: Person
let source: string
/** token of a link to a posting specification */
let token: string
const ids: Record<string, string> = {}
beforeAll(async () => {
  app = await startApp()
  await fill()
})
afterAll(() => app.close())

/** Gives a user the maximum of everything, with a clock that jumps. */
async function fill(): Promise<void> {
  const { context } = app
  const { db } = context
  client = await app.newClient()
  await sql`
    update client_accounts set status = 'active', timezone = 'America/New_York' where user_id = ${client.id}`.execute(
    db,
  )
  source = (await app.newSource()).id
  await sql`
    insert into leads (created_at, assigned_at, lead_type, assigned_to, price_charged, status, state, name, source, source_id)
    select now() - n * interval '45 minutes', now() - n * interval '45 minutes', 'auto', ${client.id}, 20, 'assigned',
      (array['TX', 'CA', 'NY'])[1 + n % 3], 'Rosa Example ' || n, 'source ' || n % 50, ${source}
    from generate_series(1, ${LEADS}::int) n`.execute(db)
  const template = JSON.stringify(
    Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`field_${n}`, `{{name}} ${'x'.repeat(60)}`])),
  )
  const headers = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`X-Header-${n}`, 'v'.repeat(100)]))
  for (let webhook = 0; webhook < 100; webhook += 1) {
    const { id } = await givenConfig(context, client.id, {
      endpoint_url: `https://crm.example.com/${webhook}`,
      payload_template: template,
      custom_headers: headers,
    })
    ids['/api/v1/webhook-configs'] ??= id
  }
  const { rows } = await sql<{ id: string }>`select id from leads limit 1`.execute(db)
  ids['/api/v1/leads'] = rows[0]?.id ?? ''
  ids['/api/v1/admin/leads'] = rows[0]?.id ?? ''
  ids['/api/v1/admin/clients'] = client.id
  ids['/api/v1/admin/waits'] = client.id
  ids['/api/v1/admin/people'] = client.id
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const bodies = { request_body: 'x'.repeat(16_384), response_body: 'y'.repeat(16_384) }
    ids['/api/v1/delivery-logs'] = await givenLogRow(
      db,
      new Date(Date.now() - attempt * 60_000),
      {
        client_user_id: client.id,
        webhook_config_id: ids['/api/v1/webhook-configs'] ?? '',
        lead_id: rows[0]?.id ?? '',
      },
      bodies,
    )
  }
  ids['/api/v1/admin/delivery-logs'] = ids['/api/v1/delivery-logs'] ?? ''
  const every = [
    ['00:00', '06:00'],
    ['07:00', '12:00'],
    ['13:00', '18:00'],
    ['19:00', '23:00'],
  ]
  const schedule = JSON.stringify(
    Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, every])),
  )
  for (let order = 0; order < 50; order += 1)
    ids['/api/v1/orders'] = await givenOrder(db, client.id, {
      name: `Order ${order}`,
      schedule,
      timezone: 'America/New_York',
      daily_cap: 10,
    })
  const revoked = await sql<{ id: string }>`
    with made as (
      insert into revocations (reported_by, reach, status, revoked_at, due_on, due_at)
      select 'administrator', 'everybody', 'in_force', now(), current_date + 14, now() + interval '14 days'
      from generate_series(1, 100) returning id
    ), told as (
      insert into revocation_holders (revocation_id, lead_id, client_user_id, due_at)
      select (select id from made limit 1), l.id, ${client.id}, now() from leads l limit 500
    ) select id from made limit 1`.execute(db)
  ids['/api/v1/admin/revocations'] = revoked.rows[0]?.id ?? ''
  const shared = await app.call('POST', `/api/v1/admin/sources/${source}/posting-spec`, {
    token: app.admin.token,
    body: { days: 7 },
  })
  token = sharedPostingSpecSchema.parse(shared.json).url.split('/').at(-1) ?? ''
  const { id } = await givenImport(db, writeLeads(2000), { owner: client.id, by: app.admin.id })
  // A worker would set this state after reading the file.
  await sql`update lead_imports set state = 'ready' where id = ${id}`.execute(db)
  ids['/api/v1/admin/imports'] = id
  const asked = await app.call('POST', '/api/v1/exports', { token: client.token, body: { kind: 'leads' } })
  await createMakeExports(context)(new AbortController().signal)
  ids['/api/v1/exports'] = asked.json.id
  const { json } = await app.call('POST', '/api/v1/payments', { token: client.token, body: { amount: 50 } })
  await app.call('POST', `/api/v1/admin/payments/${json.id}/receive`, { token: app.admin.token, body: {} })
  ids['/api/v1/payments'] = json.id
  await sql`
    insert into balance_ledger (client_user_id, entry_type, amount, reference_id)
    select ${client.id}, 'top_up', 10, gen_random_uuid() from generate_series(1, 300)`.execute(db)
}

/** Routes that answer about the days of a year. */
const ofYear = new Set([
  '/api/v1/analytics',
  '/api/v1/analytics.csv',
  '/api/v1/admin/money/revenue',
  '/api/v1/admin/money/revenue.csv',
])

/** Builds the most expensive query: the maximum page size and a year of days. */
function largestQuery({ query }: Route): string {
  if (query === undefined) return ''
  const described = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
  const asked = new URLSearchParams()
  for (const [name, schema] of Object.entries(described.properties ?? {})) {
    if (name === 'limit' && typeof schema === 'object' && schema.maximum !== undefined)
      asked.set(name, String(schema.maximum))
    if (name === 'search') asked.set(name, 'example')
  }
  return asked.size === 0 ? '' : `?${asked.toString()}`
}

function spell(route: Route): string {
  const { path } = route
  const today = new Date().toISOString().slice(0, 10)
  const from = addDays(today, 1 - DAYS)
  if (ofYear.has(path)) return `${path}?from=${from}&to=${today}`
  if (path === '/api/v1/admin/lead-recalls/preview')
    return `${path}?source=${source}&from=${from}T00:00:00Z&to=${today}T00:00:00Z`
  if (path === '/api/v1/exports/size') return `${path}?kind=leads`
  if (path === '/api/v1/posting-spec') return `${path}?token=${token}`
  if (path.startsWith('/api/v1/analytics/')) return `${path}?days=90`
  const [before = ''] = path.split('/:id')
  const found = path.replace(':id', ids[before] ?? randomUUID()).replace(':day', today) + largestQuery(route)
  return path === '/api/v1/admin/clients/:id/deliveries'
    ? `${found}&webhook=${ids['/api/v1/webhook-configs'] ?? ''}`
    : found
}

/** Sends a request and discards the answer. */
function ask(path: string, { token }: Person): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  request(app.url + path, { headers: { authorization: `Bearer ${token}` } }, (response) => {
    response.resume().once('end', () => resolve(response.statusCode ?? 0))
  })
    .once('error', reject)
    .end()
  return promise
}

/**
 * Returns the longest turn of the event loop during `work`, in milliseconds of this thread's processor time.
 */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const spent = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longest = 0
  let last = spent()
  let isOver = false
  const look = (): void => {
    const now = spent()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work().finally(() => {
    isOver = true
  })
  return longest
}

test('every GET of the API is answered in short turns of the event loop, however long its answer is', async () => {
  const routes = apiRoutes.filter(({ method, streams }) => method === 'get' && streams === undefined)
  expect(routes.length).toBeGreaterThan(50)
  const found: { path: string; status: number; ms: number }[] = []
  for (const route of routes) {
    const path = spell(route)
    let [least, status] = [Infinity, 0]
    for (let time = 0; time < TIMES; time += 1) {
      const ms = await longestTurn(async () => {
        status = await ask(path, route.who === 'admin' ? app.admin : client)
      })
      least = Math.min(least, ms)
    }
    found.push({ path: route.path, status, ms: least })
  }
  expect(found.filter(({ ms }) => ms > MOST_MS)).toEqual([])
  const others = found.filter(({ status }) => status !== 200).map(({ path }) => path)
  // Nobody decided about these leads, and no payment has a receipt.
  expect(others).toEqual(['/api/v1/admin/leads/:id/decision', '/api/v1/admin/payments/:id/receipt'])
})
