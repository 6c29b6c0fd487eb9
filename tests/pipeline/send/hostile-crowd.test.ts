import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { SLOTS, startNeighbours, type Neighbours } from '#tests/support/given/neighbours.ts'

vi.setConfig({ testTimeout: 120_000 })

const CROWD = 20
// Shorter than the silent requests, which have a minute each.
const SOON = { timeoutMs: 45_000 }

let neighbours: Neighbours
beforeAll(async () => {
  neighbours = await startNeighbours()
})
afterEach(() => neighbours.calm())
afterAll(() => neighbours.close())

test('a client whose proved endpoints fall silent, with many waiting deliveries, delays no other client', async () => {
  const { givenKnown, answer, sendLeads, arrived } = neighbours
  const [turning, calm] = [await givenKnown('turning', 2), await givenKnown('calm', 1)]
  answer('turning', 'silent')
  await sendLeads(turning, 100)
  await waitUntil(() => arrived('turning') > 2 + 2, { what: 'the silent ones being tried' })

  await sendLeads(calm, 10)
  await waitUntil(() => arrived('calm') === 1 + 10, { ...SOON, what: 'the leads of the other client' })
  expect(arrived('turning')).toBeLessThan(2 + SLOTS)
})

test.each([
  ['who is known', 'known', async () => undefined],
  [
    'who was known to the worker before this one',
    'kept',
    async () => {
      await neighbours.pipeline.stopWorker()
      await neighbours.pipeline.startWorker()
    },
  ],
])(
  'many clients with new webhooks that never answer delay no other client %s',
  async (who, name, beginAnew) => {
    const { givenKnown, givenWebhooks, answer, sendLeads, arrived, waitForTries } = neighbours
    const known = await givenKnown(name, 1)
    await beginAnew()
    answer('crowd', 'silent')
    const crowd: string[] = []
    for (let index = 0; index < CROWD; index += 1) crowd.push(await givenWebhooks('crowd', 2))
    await Promise.all([waitForTries('crowd'), ...crowd.map((client) => sendLeads(client, 1))])

    await sendLeads(known, 10)
    await waitUntil(() => arrived(name) === 1 + 10, { ...SOON, what: `the leads of ${who}` })
  },
)
