import { expect, test } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { setUpJourneys } from '#tests/support/given/journeys.ts'
import { drain, givenConfig } from '#tests/support/given/pipeline.ts'

const journeys = setUpJourneys({ WEBHOOK_RETRY_SCHEDULE: '1,1,2' })

test('an endpoint that fails twice gets three attempts on schedule, all under one webhook-id', async () => {
  const { pipeline, crm, client, sendLead, readLog } = journeys
  crm.answerWith((_request, index) => (index < 2 ? { status: 500, body: 'broken\0' } : 200))
  const config = await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  await sendLead()

  await crm.waitForCount(3)
  await drain(pipeline.context)

  const rows = await readLog(config.id)
  expect(
    rows.map((row) => [row.attempt_number, row.delivery_status, row.response_status, row.error_class]),
  ).toEqual([
    [1, 'failed', 500, 'http_5xx'],
    [2, 'failed', 500, 'http_5xx'],
    [3, 'delivered', 200, null],
  ])
  expect(rows[0]?.response_body).toBe('broken')
  expect(rows[0]?.next_attempt_at).toBeInstanceOf(Date)
  const gaps = rows
    .slice(1)
    .map((row, index) => row.created_at.getTime() - (rows[index]?.created_at.getTime() ?? 0))
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(950)
  expect(new Set(crm.requests.map((request) => request.headers['webhook-id'])).size).toBe(1)
})

test('a delivery is failed after its last attempt, with the reason on each', async () => {
  const { pipeline, crm, client, sendLead, readLog } = journeys
  crm.answerWith((request) => (request.headers['leadwire-attempt'] === '2' ? 'hang' : 404))
  const config = await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  await sendLead()
  await drain(pipeline.context)

  const rows = await readLog(config.id)
  expect(rows.map((row) => row.error_class)).toEqual(['http_4xx', 'timeout', 'http_4xx', 'http_4xx'])
  expect(rows.at(-1)?.next_attempt_at).toBeNull()
  const delivery = await pipeline.db
    .selectFrom('webhook_deliveries')
    .select(['state', 'attempt'])
    .where('webhook_config_id', '=', config.id)
    .executeTakeFirstOrThrow()
  expect(delivery).toEqual({ state: 'failed', attempt: 4 })
})

test('an answer of 410 switches the configuration off with a reason, and holds the waiting deliveries', async () => {
  const { pipeline, crm, client, sendLead } = journeys
  // The first is due late enough for the second to be planned while the configuration is on.
  const later = { status: 503, headers: { 'retry-after': '5' } }
  crm.answerWith((_request, index) => (index === 0 ? later : 410))
  const config = await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  await sendLead()
  await crm.waitForCount(1)
  await sendLead()
  await drain(pipeline.context)

  const row = await pipeline.db
    .selectFrom('client_webhook_configs')
    .select(['is_active', 'disabled_reason'])
    .where('id', '=', config.id)
    .executeTakeFirstOrThrow()
  expect(row.is_active).toBe(false)
  expect(row.disabled_reason).toContain('410')
  const states = await pipeline.db
    .selectFrom('webhook_deliveries')
    .select('state')
    .where('webhook_config_id', '=', config.id)
    .execute()
  expect(states.map(({ state }) => state).toSorted()).toEqual(['failed', 'held'])
  expect(crm.requests).toHaveLength(2)
})

test('a longer Retry-After is obeyed, and a shorter one is ignored', async () => {
  const { pipeline, crm, client, sendLead, readLog } = journeys
  crm.answerWith((_request, index) => (index === 0 ? { status: 429, headers: { 'retry-after': '3' } } : 200))
  const config = await givenConfig(pipeline.context, client, { endpoint_url: crm.url })
  await sendLead()
  await drain(pipeline.context)

  const [first, second] = await readLog(config.id)
  expect(first?.error_class).toBe('throttled')
  expect((second?.created_at.getTime() ?? 0) - (first?.created_at.getTime() ?? 0)).toBeGreaterThanOrEqual(
    2900,
  )
})

test('redirects are not followed', async () => {
  const { pipeline, crm, client, sendLead, readLog } = journeys
  crm.answerWith({ status: 302, headers: { location: `${crm.url}/elsewhere` } })
  const config = await givenConfig(pipeline.context, client, { endpoint_url: `${crm.url}/first` })
  await sendLead()
  await crm.waitForCount(1)
  await waitUntil(async () => (await readLog(config.id)).length > 0)

  expect((await readLog(config.id))[0]).toMatchObject({ error_class: 'redirect', response_status: 302 })
  expect(crm.requests.every((request) => request.path === '/first')).toBe(true)
})
