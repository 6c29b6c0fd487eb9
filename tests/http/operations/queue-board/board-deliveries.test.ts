import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { queuesSchema, QUEUE_STATES } from '#core/contract/operations/queues.ts'
import { pauseSending } from '#core/data/webhooks/pause-sending.ts'
import { DELIVERIES_QUEUE, LEAD_EVENTS_QUEUE } from '#core/queue/queues.ts'
import { givenOutage, type Outage } from '../../support/outage.ts'
import { startApp, type TestApp } from '../../support/start-app.ts'
import { readAudit } from '../../market/read-audit.ts'

const BOARD = '/admin/queues'
const QUEUE = `${BOARD}/api/queues/${DELIVERIES_QUEUE}`
const jobSchema = z.object({
  id: z.string(),
  name: z.string(),
  attempts: z.number(),
  timestamp: z.number(),
  delay: z.number().optional(),
  failedReason: z.string(),
  data: z.record(z.string(), z.unknown()),
  externalUrl: z.object({ href: z.string() }),
})
const boardSchema = z.object({
  queues: z.array(
    z.object({
      name: z.string(),
      counts: z.record(z.string(), z.number()),
      description: z.string().optional(),
      hasWorkers: z.boolean().nullable(),
      jobs: z.array(jobSchema.partial()),
    }),
  ),
})

let app: TestApp
let outage: Outage
let cookie: string
beforeAll(async () => {
  app = await startApp()
  const { headers } = await app.call('POST', '/api/v1/admin/queues-session', { token: app.admin.token })
  cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.context.db.deleteFrom('webhook_deliveries').execute()
  outage = await givenOutage(app)
  app.context.operations.queueCounter.forget()
})

const call = (
  method: string,
  path: string,
  { origin = app.url, body }: { origin?: string; body?: unknown } = {},
) =>
  app.call(method, path, {
    headers: { cookie, ...(method === 'GET' ? {} : { origin }) },
    ...(body === undefined ? {} : { body }),
  })
async function readQueue(state = 'latest', page = 1, jobsPerPage = 10) {
  const asked = `activeQueue=${DELIVERIES_QUEUE}&status=${state}&page=${page}&jobsPerPage=${jobsPerPage}`
  const { queues } = boardSchema.parse((await call('GET', `${BOARD}/api/queues?${asked}`)).json)
  const found = queues.find(({ name }) => name === DELIVERIES_QUEUE)
  if (found === undefined) throw new Error('The board has no deliveries')
  return found
}
async function firstJob(state: string): Promise<z.infer<typeof jobSchema>> {
  return jobSchema.parse((await readQueue(state)).jobs[0])
}
const states = async () =>
  Object.fromEntries(
    (await app.context.db.selectFrom('webhook_deliveries').select(['id', 'state']).execute()).map((row) => [
      row.id,
      row.state,
    ]),
  )

test('the dashboard and the API give the same counts of an outage, and say what is wrong', async () => {
  const shown = await readQueue()
  const { json } = await app.call('GET', '/api/v1/admin/queues', { token: app.admin.token })
  const { total, problems } = queuesSchema.parse(json)

  expect(shown.counts).toEqual({ waiting: 0, active: 50, delayed: 92, failed: 3, completed: 0 })
  expect(shown.counts).toEqual(Object.fromEntries(QUEUE_STATES.map((state) => [state, total[state].count])))
  expect(total.held.count).toBe(12)
  expect(shown.hasWorkers).toBe(false)
  expect((await call('GET', `${BOARD}/leadwire/problems`)).json).toMatchObject({ problems })
  expect(problems.map(({ code }) => code)).toEqual(['no_worker', 'failing', 'silent'])
  expect((await call('GET', BOARD)).text).toContain('leadwire/banner.js')
  expect((await call('GET', `${BOARD}/leadwire/banner.js`)).headers.get('content-type')).toContain(
    'javascript',
  )
})

test('lists each state in pages, without a gap or a repeat', async () => {
  const ids: string[] = []
  for (let page = 1; page <= 4; page += 1)
    ids.push(...(await readQueue('delayed', page, 25)).jobs.map(({ id }) => id ?? ''))

  expect(new Set(ids).size).toBe(92)
  expect((await readQueue('failed')).jobs.map(({ id }) => id)).toEqual(outage.dead)
  expect((await readQueue('active', 2, 40)).jobs).toHaveLength(10)
  expect((await readQueue('latest')).jobs).toHaveLength(23)
})

test('a job names lead, client, webhook, host, attempt and reason, and nothing of the person', async () => {
  const job = await firstJob('failed')
  expect(job).toMatchObject({
    id: outage.dead[0],
    name: 'lead.created',
    attempts: 8,
    failedReason: 'timeout',
    data: {
      client_id: outage.client.id,
      webhook: 'CRM',
      endpoint_host: 'crm.example.com:8443',
      attempts_made: 8,
      error_class: 'timeout',
      next_attempt_at: null,
    },
    externalUrl: { href: expect.stringMatching(/^\/admin\/leads\/[\w-]+\?delivery=[\w-]+$/) as string },
  })
  const retry = await firstJob('delayed')
  expect(retry.timestamp + (retry.delay ?? 0)).toBe(Date.parse(String(retry.data['next_attempt_at'])))
  expect(retry.data['why']).toBe('Its next attempt is planned for later.')
  const held = (await readQueue('delayed', 10)).jobs.at(-1)
  expect(held?.data?.['why']).toBe(
    'The endpoint does not answer. It is held until a single try gets an answer.',
  )

  const { text } = await call('GET', `${BOARD}/api/queues?activeQueue=${DELIVERIES_QUEUE}&status=latest`)
  const lead = await app.context.db.selectFrom('leads').selectAll().executeTakeFirstOrThrow()
  for (const personal of [lead.name, lead.phone, lead.email, 'very-secret', '/hook'])
    expect(text).not.toContain(personal ?? 'no such value')
})

test('the log of a job is its attempts', async () => {
  const [id = ''] = outage.dead
  const dead = await app.context.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  for (const attempt of [2, 1])
    await app.context.db
      .insertInto('webhook_delivery_logs')
      .values({
        created_at: new Date(Date.now() + attempt * 1000),
        webhook_config_id: dead.webhook_config_id,
        client_user_id: dead.client_user_id,
        delivery_id: id,
        event_id: dead.event_id,
        event_type: dead.event_type,
        lead_id: dead.lead_id,
        delivery_status: 'failed',
        response_status: 503,
        attempt_number: attempt,
        processing_time_ms: 120,
        error_class: 'http_5xx',
        error_message: 'Rosa Example is not known',
        request_url: 'https://crm.example.com/hook?token=very-secret',
        request_method: 'POST',
      })
      .execute()

  const lines = z.array(z.string()).parse(JSON.parse((await call('GET', `${QUEUE}/${id}/logs`)).text))
  expect(lines.map((line) => line.slice(line.indexOf(' ') + 1))).toEqual([
    'attempt 1: failed, http_5xx, status 503, 120 ms',
    'attempt 2: failed, http_5xx, status 503, 120 ms',
  ])
  expect((await call('GET', `${QUEUE}/${id}`)).json).toMatchObject({ status: 'failed' })
})

test('a dead letter is retried once, with an audit row and a note on the lead’s timeline', async () => {
  const [id = ''] = outage.dead
  expect((await call('PUT', `${QUEUE}/${id}/retry`)).status).toBe(204)

  expect((await readQueue()).counts).toMatchObject({ waiting: 1, failed: 2 })
  expect(await readAudit(app, 'dead_letters_redriven', outage.client.id)).toMatchObject([
    { actor_id: app.admin.id, details: { delivery_id: id, note: 'queue dashboard' } },
  ])
  const event = await app.context.db
    .selectFrom('events')
    .select('data')
    .where('type', '=', 'delivery.redriven')
    .where('client_user_id', '=', outage.client.id)
    .executeTakeFirstOrThrow()
  expect(event.data).toMatchObject({ resend_of: id, by: app.admin.id })
  expect((await call('PUT', `${QUEUE}/${id}/retry`)).status).toBe(409)
})

test('a planned retry is promoted: the same attempt is due now', async () => {
  const { id } = await firstJob('delayed')
  expect((await call('PUT', `${QUEUE}/${id}/promote`)).status).toBe(204)

  expect((await readQueue()).counts).toMatchObject({ waiting: 1, delayed: 91 })
  expect((await firstJob('waiting')).id).toBe(id)
  expect(await readAudit(app, 'delivery_sent_now', outage.client.id)).toMatchObject([
    { actor_id: app.admin.id, details: { delivery_id: id, note: 'queue dashboard' } },
  ])
  expect((await call('PUT', `${QUEUE}/${id}/promote`)).json).toMatchObject({
    error: { key: 'ERRORS.FORBIDDEN' },
    message: 'Only a delayed delivery can be promoted, and this is none any more.',
  })
})

test('promoting a held delivery lets its silent endpoint be tried at once', async () => {
  const { db } = app.context
  const held = (await readQueue('delayed', 10)).jobs.at(-1)?.id ?? ''
  expect((await call('PUT', `${QUEUE}/${held}/promote`)).status).toBe(204)
  const { probe_at: probe } = await db
    .selectFrom('webhook_endpoint_health as h')
    .innerJoin('webhook_deliveries as d', 'd.webhook_config_id', 'h.webhook_config_id')
    .select('h.probe_at')
    .where('d.id', '=', held)
    .executeTakeFirstOrThrow()
  expect(probe?.getTime()).toBeLessThanOrEqual(Date.now() + 1000)

  await db
    .updateTable('webhook_deliveries')
    .set({ offered_until: new Date(Date.now() + 1e8) })
    .where('id', '=', held)
    .execute()
  expect((await call('PUT', `${QUEUE}/${held}/promote`)).json).toMatchObject({
    message: 'It came while the webhook was off. Its client sends or discards it.',
  })
})

test('while sending to a client is paused, its jobs say so and are neither retried nor promoted', async () => {
  await pauseSending(app.context.db, outage.client.id, 'Invoice open')
  const before = await states()
  const held = (await readQueue('delayed', 10)).jobs.at(-1)
  expect(held?.data?.['why']).toBe('Sending to this client is paused. It goes out when sending is resumed.')

  for (const path of [`${outage.dead[0]}/retry`, `${held?.id}/promote`]) {
    const { status, json } = await call('PUT', `${QUEUE}/${path}`)
    expect([status, json.message]).toEqual([409, 'Sending to this client is paused. Resume it first.'])
  }
  expect(await states()).toEqual(before)
  expect(await readAudit(app, 'dead_letters_redriven', outage.client.id)).toEqual([])
})

test('everything else is refused, in words, and changes nothing', async () => {
  const before = await states()
  const [dead = ''] = outage.dead
  const { id: delayed } = await firstJob('delayed')
  const refused = [
    ['POST', `${QUEUE}/add`, { name: 'x', data: {}, options: {} }],
    ['PUT', `${QUEUE}/retry/failed`],
    ['PUT', `${QUEUE}/promote`],
    ['PUT', `${QUEUE}/clean/failed`],
    ['PUT', `${QUEUE}/pause`],
    ['PUT', `${QUEUE}/resume`],
    ['PUT', `${BOARD}/api/queues/pause`],
    ['PUT', `${BOARD}/api/queues/resume`],
    ['PUT', `${QUEUE}/empty`],
    ['PUT', `${QUEUE}/obliterate`, { force: true }],
    ['PUT', `${QUEUE}/concurrency`, { concurrency: 1 }],
    ['PUT', `${QUEUE}/rate-limit`, { max: 1, duration: 1000 }],
    ['PUT', `${QUEUE}/rate-limit/release`],
    ['PUT', `${QUEUE}/${dead}/clean`],
    ['PATCH', `${QUEUE}/${dead}/update-data`, {}],
    ['PATCH', `${QUEUE}/${delayed}/delay`, { runAt: 0 }],
    ['PATCH', `${QUEUE}/${delayed}/priority`, { priority: 0 }],
    ['PUT', `${QUEUE}/${dead}/remove-unprocessed-children`],
    ['DELETE', `${QUEUE}/${dead}`],
    ['PUT', `${BOARD}/api/queues/${LEAD_EVENTS_QUEUE}/${dead}/retry`],
    ['PUT', `${QUEUE}/no-uuid/retry`],
  ] as const
  for (const [method, path, body] of refused) {
    const { status, text } = await call(method, path, { body })
    expect({ path, status }).toEqual({ path, status: 405 })
    expect(text).toContain('only retries or promotes one delivery at a time')
  }
  expect((await call('PUT', `${QUEUE}/${delayed}/retry`)).status).toBe(409)
  expect((await call('PUT', `${QUEUE}/${dead}/promote`)).status).toBe(409)
  expect((await call('PUT', `${QUEUE}/${app.admin.id}/retry`)).status).toBe(404)
  expect(await states()).toEqual(before)
})

test('another site, a program without an origin, and a read-only administrator change nothing', async () => {
  const before = await states()
  const [dead = ''] = outage.dead
  const retry = `${QUEUE}/${dead}/retry`
  expect((await call('PUT', retry, { origin: 'https://evil.example.com' })).json).toMatchObject({
    message: 'This request came from another site, so nothing was changed.',
  })
  expect((await app.call('PUT', retry, { headers: { cookie } })).status).toBe(403)
  expect((await app.call('PUT', retry, { headers: { cookie, origin: 'null' } })).status).toBe(403)
  expect((await app.call('PUT', retry, { headers: { origin: app.url } })).status).toBe(401)
  expect((await app.call('PUT', retry, { token: outage.client.token })).status).toBe(403)
  const { db } = app.context
  const setRole = (role: 'owner' | 'read_only') =>
    db.updateTable('profiles').set({ admin_role: role }).where('user_id', '=', app.admin.id).execute()
  await setRole('read_only')
  expect((await call('PUT', retry)).status).toBe(403)
  await setRole('owner')

  expect(await states()).toEqual(before)
  expect((await app.call('PUT', retry, { token: app.admin.token })).status).toBe(204)
})
