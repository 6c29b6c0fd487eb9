import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Db } from '#core/data/database.ts'
import type { Answer } from '#scripts/lab/receiver/give-answer.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { insertDue, SLOTS, startNeighbours, type Neighbours } from '#tests/support/given/neighbours.ts'
import { givenReplay } from '#tests/support/given/replays.ts'

vi.setConfig({ testTimeout: 120_000 })

// More endpoints than slots, so that they alone could fill them repeatedly.
const WEBHOOKS = 30
const LEADS = 20
const MODEST = 10
const WORKERS = 3
const SOON = { timeoutMs: 45_000 }

let neighbours: Neighbours
beforeAll(async () => {
  neighbours = await startNeighbours()
})
afterEach(() => neighbours.calm())
afterAll(() => neighbours.close())

interface Scene {
  answer?: Answer
  replays?: boolean
}

/** Resends a client's dead letters with the button at each of the webhooks. */
async function replayAll(db: Db, client: string): Promise<void> {
  const since = new Date(0)
  await sql`
    update webhook_deliveries set state = 'failed', attempt = 8, next_attempt_at = null, finished_at = now(),
      failure_class = 'timeout'
    where client_user_id = ${client}`.execute(db)
  const webhooks = await db
    .selectFrom('client_webhook_configs')
    .select('id')
    .where('client_user_id', '=', client)
    .execute()
  for (const { id } of webhooks) await givenReplay(db, { client, webhook_config_id: id, since })
}

/**
 * Both clients are known and have deliveries due from the same time on; the busy one is noticed first.
 * Returns how many of the busy client's came before the last one of the other.
 */
async function countBefore(name: string, { answer = 'ok', replays = false }: Scene): Promise<number> {
  const { pipeline, givenKnown, arrived, crm } = neighbours
  const modestName = `beside-${name}`
  const [much, modest] = [await givenKnown(name, WEBHOOKS), await givenKnown(modestName, 1)]
  neighbours.answer(name, answer)
  await pipeline.db.transaction().execute(async (trx) => {
    await insertDue(trx, much, LEADS)
    if (replays) await replayAll(trx, much)
    await insertDue(trx, modest, MODEST)
  })
  await waitUntil(() => arrived(modestName) === 1 + MODEST, { ...SOON, what: 'the leads of who has few' })
  const last = crm.requests.findLastIndex(({ path }) => path.startsWith(`/${modestName}/`))
  const before = crm.requests.slice(0, last).filter(({ path }) => path.startsWith(`/${name}/`))
  return before.length - WEBHOOKS
}

test.each<[string, string, Scene]>([
  ['quick', 'whose leads go to many quick webhooks', {}],
  ['reset', 'whose many webhooks begin to break the connection', { answer: 'reset' }],
  ['replay', 'who replays what has failed', { replays: true }],
  ['late', 'whose many webhooks begin to answer after 5 s', { answer: { status: 200, delayMs: 5000 } }],
])(
  '%s: the few deliveries of one client do not wait for the many of a client %s',
  async (name, _who, scene) => {
    expect(await countBefore(name, scene)).toBeLessThan((WEBHOOKS * LEADS) / 3)
  },
)

test('with three workers too, a client’s few deliveries do not wait for another client’s many', async () => {
  for (let others = 1; others < WORKERS; others += 1) await neighbours.startAnother()
  expect(await countBefore('thrice', {})).toBeLessThan((WEBHOOKS * LEADS) / 3)
})

test('endpoints that drip their headers or their body delay no other client', async () => {
  const { pipeline, givenWebhooks, givenKnown, sendLeads, arrived, waitForTries } = neighbours
  neighbours.answer('headers', 'slow-headers')
  neighbours.answer('body', 'slow-body')
  const known = await givenKnown('known', 1)
  const dripping = [await givenWebhooks('headers', WEBHOOKS), await givenWebhooks('body', WEBHOOKS)]
  const tried = waitForTries('headers', 'body')
  for (const client of dripping) await insertDue(pipeline.db, client, 2)
  await tried

  await sendLeads(known, MODEST)
  await waitUntil(() => arrived('known') === 1 + MODEST, { ...SOON, what: 'the leads of who is known' })
  expect(arrived('headers') + arrived('body')).toBeLessThan(WORKERS * SLOTS)
})
