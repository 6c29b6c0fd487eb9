import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { SuccessRule } from '#core/contract/webhooks/answer-rules.ts'
import { setUpJourneys } from '#tests/support/given/journeys.ts'
import { drain, givenConfig } from '#tests/support/given/pipeline.ts'
import { startRawServer } from '#tests/support/peers/raw-server.ts'
import type { AnswerScript } from '#scripts/lab/receiver/start-receiver.ts'

const RULE: SuccessRule = {
  accepted: { path: 'success', equals: true },
  duplicate: { contains: 'duplicate' },
  rejected: { path: 'success', equals: false },
}

const journeys = setUpJourneys({ WEBHOOK_RETRY_SCHEDULE: '1,1' })

/**
 * Delivers one lead to one configuration with the rule; returns the delivery and its log in their final
 * state.
 */
async function deliver(
  answer: AnswerScript,
  settings: { success_rule?: SuccessRule; capture_path?: string },
) {
  const { pipeline, crm, client, sendLead } = journeys
  crm.answerWith(answer)
  const config = await givenConfig(pipeline.context, client, { endpoint_url: crm.url, ...settings })
  const lead = await sendLead()
  await drain(pipeline.context)
  const delivery = await pipeline.db
    .selectFrom('webhook_deliveries')
    .select(['state', 'attempt', 'outcome', 'receiver_id'])
    .where('webhook_config_id', '=', config.id)
    .executeTakeFirstOrThrow()
  const log = await pipeline.db
    .selectFrom('webhook_delivery_logs')
    .select([
      'attempt_number',
      'delivery_status',
      'response_status',
      'error_class',
      'outcome',
      'receiver_id',
      'next_attempt_at',
    ])
    .where('webhook_config_id', '=', config.id)
    .orderBy('attempt_number')
    .execute()
  const told = await pipeline.db
    .selectFrom('events')
    .select(['type', 'data'])
    .where('lead_id', '=', lead)
    .where('type', 'in', ['delivery.succeeded', 'delivery.failed'])
    .execute()
  return { delivery, log, told }
}

const json = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) })

test('a 200 whose body means no is a failed delivery, and is not sent again', async () => {
  const { delivery, log, told } = await deliver(json({ success: false, text: 'no such list' }), {
    success_rule: RULE,
    capture_path: 'lead_id',
  })
  expect(delivery).toEqual({ state: 'failed', attempt: 1, outcome: 'rejected', receiver_id: null })
  expect(log).toEqual([
    {
      attempt_number: 1,
      delivery_status: 'failed',
      response_status: 200,
      error_class: 'refused_by_body',
      outcome: 'rejected',
      receiver_id: null,
      next_attempt_at: null,
    },
  ])
  expect(told).toEqual([
    {
      type: 'delivery.failed',
      data: expect.objectContaining({ reason: 'refused_by_body', outcome: 'rejected' }) as unknown,
    },
  ])
  expect(journeys.crm.requests).toHaveLength(1)
})

test('a 200 whose body means neither yes nor no is sent again until it means one of them', async () => {
  const { delivery, log } = await deliver(
    (_request, index) =>
      index === 0 ? { status: 200, body: '<html>Sign in</html>' } : json({ success: true, id: 7 }),
    { success_rule: RULE, capture_path: 'id' },
  )
  expect(delivery).toEqual({ state: 'delivered', attempt: 2, outcome: 'accepted', receiver_id: '7' })
  expect(log.map((row) => [row.delivery_status, row.error_class, row.outcome, row.receiver_id])).toEqual([
    ['failed', 'refused_by_body', null, null],
    ['delivered', null, 'accepted', '7'],
  ])
})

test('a duplicate counts as delivered, and its log row says so', async () => {
  const { delivery, log } = await deliver(
    json({ success: true, message: 'Duplicate', data: { lead_id: 'L-9' } }),
    {
      success_rule: RULE,
      capture_path: 'data.lead_id',
    },
  )
  expect(delivery).toEqual({ state: 'delivered', attempt: 1, outcome: 'duplicate', receiver_id: 'L-9' })
  expect(log).toMatchObject([
    { delivery_status: 'delivered', error_class: null, outcome: 'duplicate', receiver_id: 'L-9' },
  ])
})

test('without a success rule every 2xx counts as delivered, and the receiver’s id is kept if a path leads to one', async () => {
  const { delivery } = await deliver(json({ success: false, id: 'a\0b' }, 201), { capture_path: 'id' })
  expect(delivery).toEqual({ state: 'delivered', attempt: 1, outcome: null, receiver_id: 'a b' })
})

test('a success rule reads only the 16 KiB that are kept of a long answer', async () => {
  const long = `${'x'.repeat(20_000)}accepted`
  const { delivery, log } = await deliver(
    { status: 200, body: long },
    {
      success_rule: { accepted: { contains: 'accepted' } },
    },
  )
  expect(delivery).toMatchObject({ state: 'failed', attempt: 3 })
  expect(log.map((row) => row.error_class)).toEqual(['refused_by_body', 'refused_by_body', 'refused_by_body'])
})

test.each([
  [
    'in the middle of its body',
    'HTTP/1.1 200 OK\r\ncontent-length: 100\r\nx-id: 7\r\n\r\nhalf',
    200,
    'half',
    '7',
  ],
  ['for lone line feeds', 'HTTP/1.1 201 Created\ncontent-length: 2\n\nok', 201, '', undefined],
])('an answer that breaks off %s keeps its status in the log', async (_how, bytes, status, text, id) => {
  const { pipeline, client, sendLead } = journeys
  const server = await startRawServer((socket) => socket.end(bytes))
  const config = await givenConfig(pipeline.context, client, { endpoint_url: server.url })
  await sendLead()
  await drain(pipeline.context)
  await server.close()
  const rows = await pipeline.db
    .selectFrom('webhook_delivery_logs as l')
    .innerJoin('webhook_delivery_log_bodies as b', 'b.id', 'l.id')
    .select([
      'l.delivery_status',
      'l.response_status',
      'l.error_class',
      'b.response_body',
      'b.response_headers',
    ])
    .where('l.webhook_config_id', '=', config.id)
    .execute()
  expect(rows).toHaveLength(3)
  for (const row of rows) {
    expect(row).toMatchObject({ delivery_status: 'failed', response_status: status, error_class: 'reset' })
    expect(row.response_body ?? '').toBe(text)
    expect(JSON.parse(row.response_headers ?? '{}')).toEqual(
      id === undefined ? {} : { 'content-length': '100', 'x-id': id },
    )
  }
})

test.each([
  ['gzip', gzipSync, 'accepted', '{"success":true,"id":"L-7"}'],
  ['br', brotliCompressSync, 'accepted', '{"success":true,"id":"L-7"}'],
  [
    'compress',
    () => Buffer.alloc(20, 0xff),
    null,
    '[Its body is packed as "compress", which is not unpacked.]',
  ],
])(
  'a success rule reads an answer that is compressed by %s, or the log says why not',
  async (coding, pack, outcome, text) => {
    const { pipeline, client, sendLead } = journeys
    const plain = Buffer.from('{"success":true,"id":"L-7"}')
    const bytes = pack(plain)
    const server = await startRawServer((socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${bytes.length}\r\n\r\n`,
      )
      socket.end(bytes)
    })
    const rules = { success_rule: RULE, capture_path: 'id' }
    const config = await givenConfig(pipeline.context, client, { endpoint_url: server.url, ...rules })
    await sendLead()
    await drain(pipeline.context)
    await server.close()
    const [row] = await pipeline.db
      .selectFrom('webhook_delivery_logs as l')
      .innerJoin('webhook_delivery_log_bodies as b', 'b.id', 'l.id')
      .select(['l.outcome', 'l.receiver_id', 'l.error_message', 'b.response_body'])
      .where('l.webhook_config_id', '=', config.id)
      .execute()
    expect(row).toMatchObject({ outcome, receiver_id: outcome === null ? null : 'L-7', response_body: text })
    expect(row?.error_message ?? '').toContain(outcome === null ? 'its body is packed as "compress"' : '')
  },
)
