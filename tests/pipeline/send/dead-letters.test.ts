import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listDeadLetters, redrivePiece } from '#core/data/operations/dead-letters.ts'
import {
  drain,
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'

let pipeline: TestPipeline
let receiver: Receiver
beforeAll(async () => {
  pipeline = await startPipeline({ WEBHOOK_RETRY_SCHEDULE: '0' })
  receiver = await startReceiver((_request, index) => (index < 2 ? 500 : 200))
})
afterAll(async () => {
  await receiver.close()
  await pipeline.close()
})

const deadLetters = async () => await listDeadLetters(pipeline.db, {}, { limit: 10, after: undefined })

test('a delivery that failed for good is a dead letter with its reason, and arrives when it is resent', async () => {
  const { context, db } = pipeline
  const administrator = await givenClient(db, 'admin')
  const client = await givenClient(db)
  await givenConfig(context, client, { endpoint_url: receiver.url, trigger_on_lead_created: true })
  await givenLead(db, client)
  await drain(context)

  const [letter] = await deadLetters()
  expect(letter).toMatchObject({ reason: 'http_5xx', attempts: 2, client: { user_id: client } })
  expect(letter?.message).toMatch(/^500/)

  const filter = { reason: 'http_5xx' } as const
  const redrive = { id: randomUUID(), administrator, most: 10_000 }
  const { due } = await db.transaction().execute((trx) => redrivePiece(trx, { filter }, redrive))
  expect(due).toMatchObject([{ attempt: 1, turn: 1 }])
  await context.deliveries.publish(due)
  await drain(context)

  expect(await deadLetters()).toEqual([])
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
  expect(ids).toHaveLength(3)
  expect(new Set(ids).size).toBe(1)
})
