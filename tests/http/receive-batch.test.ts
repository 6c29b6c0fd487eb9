import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  newLead,
  startApp,
  type AnswerBody,
  type Person,
  type TestApp,
  type TestSource,
} from './start-app.ts'

let app: TestApp
let client: Person
let source: TestSource
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  source = await app.newSource({ owner: client })
})
afterAll(() => app.close())

const post = (body: unknown, headers: Record<string, string> = {}) =>
  app.call('POST', '/api/v1/leads/batch', { token: source.key, body, headers })
const results = (json: AnswerBody) => json.results.map(({ result }) => result)

test('one bad of many does not spoil the rest, and the order is kept', async () => {
  const [a, b] = [newLead(), newLead()]
  const { status, json } = await post([a, { name: 'No one' }, b, a, 7])

  expect(status).toBe(200)
  expect(results(json)).toEqual(['accepted', 'rejected', 'accepted', 'duplicate', 'rejected'])
  expect(json.results[3]?.lead_id).toBe(json.results[0]?.lead_id)
  expect(json.results[1]?.errors.map(({ path }) => path)).toEqual(['lead_type', 'phone'])
})

test('lines of JSON are a batch too', async () => {
  const body = `${JSON.stringify(newLead())}\n\n${JSON.stringify(newLead())}\n`
  const { json } = await post(body, { 'content-type': 'application/x-ndjson' })

  expect(results(json)).toEqual(['accepted', 'accepted'])
})

test('a broken line is named', async () => {
  const { status, json } = await post(`${JSON.stringify(newLead())}\n{"name":\n`, {
    'content-type': 'application/x-ndjson',
  })

  expect({ status, detail: json.detail }).toEqual({
    status: 400,
    detail: 'The body is not valid JSON (line 2).',
  })
})

test('a thousand leads are taken and assigned, a thousand and one are not', async () => {
  const leads = Array.from({ length: 1000 }, () => newLead())
  const { json } = await post(leads)

  expect(results(json).every((result) => result === 'accepted')).toBe(true)
  const assigned = await app.context.db
    .selectFrom('events')
    .select((row) => row.fn.countAll().as('n'))
    .where('type', '=', 'lead.assigned')
    .where(
      'lead_id',
      'in',
      json.results.map(({ lead_id }) => lead_id),
    )
    .executeTakeFirstOrThrow()
  expect(Number(assigned.n)).toBe(1000)
  expect((await post([...leads, newLead()])).status).toBe(422)
})

test('batches with the same leads in opposite order do not block each other', async () => {
  const leads = Array.from({ length: 200 }, () => newLead())
  const answers = await Promise.all([
    post(leads),
    post(leads.toReversed()),
    post(leads),
    post(leads.toReversed()),
  ])

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const accepted = answers.flatMap(({ json }) => results(json)).filter((result) => result === 'accepted')
  expect(accepted).toHaveLength(200)
})

test('repeated under its Idempotency-Key, a batch is all duplicates', async () => {
  const leads = [newLead({ external_id: undefined }), newLead({ external_id: undefined })]
  const headers = { 'Idempotency-Key': 'batch-1' }

  expect(results((await post(leads, headers)).json)).toEqual(['accepted', 'accepted'])
  expect(results((await post(leads, headers)).json)).toEqual(['duplicate', 'duplicate'])
})

test('what is no list, and more than 5 MiB, is refused', async () => {
  expect((await post({ leads: [] })).status).toBe(422)
  expect((await post(JSON.stringify([{ name: 'x'.repeat(5_300_000) }]))).status).toBe(413)
})

test('an access token is not a source key', async () => {
  const { status, json } = await app.call('POST', '/api/v1/leads/batch', { token: client.token, body: [] })

  expect({ status, code: json.code }).toEqual({ status: 401, code: 'invalid_api_key' })
})
