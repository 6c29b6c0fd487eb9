import { afterAll, beforeAll, expect, test } from 'vitest'
import { planJudged } from '#core/data/webhooks/deliveries/plan-judged.ts'
import { planPlainly } from '#core/data/webhooks/deliveries/plan-plain.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())

const EVERYTHING = { all: 1000, ofClient: 1000, ofLead: 25, spreading: [] }
const OF_TESTS = { match: 'all' as const, rules: [{ field: 'is_test' as const, is: true }] }
const HOURS = { timezone: 'UTC', schedule: { mon: [['00:00', '12:00'] as [string, string]] } }

async function givenEvent(owner: string | null): Promise<string> {
  const lead = await givenLead(pipeline.db, owner)
  return (
    await pipeline.db.selectFrom('events').select('id').where('lead_id', '=', lead).executeTakeFirstOrThrow()
  ).id
}
const config = async (owner: string, fields: Partial<Parameters<typeof givenConfig>[2]> = {}) =>
  await givenConfig(pipeline.context, owner, {
    endpoint_url: 'https://crm.example.com/',
    trigger_on_lead_created: true,
    ...fields,
  })
const plainly = async (events: readonly string[], mostOfEvent = 4) =>
  await planPlainly(
    pipeline.db,
    events.map((id) => ({ event_id: id, turn: 0 })),
    { slots: [], leaseSeconds: 30, mostOfEvent, patienceMs: undefined },
  )

/** Reads the deliveries of an event, without the columns that differ between events. */
const readMade = async (event: string) =>
  await pipeline.db
    .selectFrom('webhook_deliveries')
    .select(['webhook_config_id', 'client_user_id', 'state', 'turn', 'attempt', 'event_type', 'lease_token'])
    .select((select) => [
      select('offered_until', 'is not', null).as('is_offered'),
      select('next_attempt_at', 'is not', null).as('has_moment'),
    ])
    .where('event_id', '=', event)
    .orderBy('webhook_config_id')
    .execute()

test('the plain form plans the same deliveries as the full form, for clients, administrators and webhooks that are off', async () => {
  const client = await givenClient(pipeline.db)
  const admin = await givenClient(pipeline.db, 'admin')
  await config(client)
  await config(client, { is_active: false })
  await config(client, { trigger_on_lead_created: false })
  const retired = await config(client, { is_active: false })
  await pipeline.db
    .updateTable('client_webhook_configs')
    .set({ retired_at: new Date() })
    .where('id', '=', retired.id)
    .execute()
  await config(admin)

  for (const owner of [client, null]) {
    const [plain, whole] = [await givenEvent(owner), await givenEvent(owner)]
    const planned = await plainly([plain])
    const { due } = await planJudged(pipeline.db, [{ event_id: whole, turn: 0 }], EVERYTHING, [])
    expect(await readMade(plain)).toEqual(await readMade(whole))
    expect(await readMade(plain)).toHaveLength(owner === null ? 1 : 3)
    const places = (list: typeof due) => list.map((one) => one.webhook_config_id).toSorted()
    expect(places(planned.due)).toEqual(places(due))
  }
  await pipeline.db.deleteFrom('client_webhook_configs').where('client_user_id', '=', admin).execute()
})

test('the plain form leaves events with conditions or hours, for many webhooks, or from before a change to the full form', async () => {
  const choosy = await givenClient(pipeline.db)
  await config(choosy)
  await config(choosy, { conditions: OF_TESTS })
  const hourly = await givenClient(pipeline.db)
  await config(hourly, { sending_hours: HOURS })
  const many = await givenClient(pipeline.db)
  for (let index = 0; index < 3; index += 1) await config(many)
  const changed = await givenClient(pipeline.db)
  const { id } = await config(changed)
  const events = [
    await givenEvent(choosy),
    await givenEvent(hourly),
    await givenEvent(many),
    await givenEvent(changed),
  ]
  await pipeline.db
    .updateTable('client_webhook_configs')
    .set({ trigger_on_lead_created: false })
    .where('id', '=', id)
    .execute()

  const { due, others } = await plainly(events, 2)
  expect(due).toEqual([])
  expect(others.toSorted()).toEqual(events.toSorted())
})

test('the plain form ignores conditions of a webhook that does not listen to the event', async () => {
  const client = await givenClient(pipeline.db)
  await config(client)
  await config(client, { trigger_on_lead_created: false, conditions: OF_TESTS })
  const { due, others } = await plainly([await givenEvent(client)])
  expect([due.length, others]).toEqual([1, []])
})
