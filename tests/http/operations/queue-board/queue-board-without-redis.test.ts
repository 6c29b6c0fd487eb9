import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { DELIVERIES_QUEUE, LEAD_EVENTS_QUEUE } from '#core/queue/queues.ts'
import { startTcpProxy, type TcpProxy } from '#scripts/lab/start-tcp-proxy.ts'
import { testRedisUrl } from '#tests/support/services/redis.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { startApp, type TestApp } from '../../support/start-app.ts'

const shownQueues = z.object({ queues: z.array(z.object({ name: z.string() })) })
const PATH = '/admin/queues/api/queues'

let app: TestApp
let proxy: TcpProxy
beforeAll(async () => {
  proxy = await startTcpProxy(testRedisUrl())
  app = await startApp({ REDIS_URL: proxy.through(testRedisUrl()) })
  await waitUntil(() => app.context.announce.isReady(), { what: 'Redis' })
})
afterAll(() => app.close())

test('the dashboard shows the deliveries while Redis is away, and says that it is', async () => {
  const names = async () => {
    const { status, json } = await app.call('GET', PATH, { token: app.admin.token })
    return { status, names: status === 200 ? shownQueues.parse(json).queues.map(({ name }) => name) : [] }
  }
  expect((await names()).names).toEqual(expect.arrayContaining([DELIVERIES_QUEUE, LEAD_EVENTS_QUEUE]))
  const read = app.call('GET', PATH, { token: app.admin.token })
  proxy.forgetAll()
  const answers = [await read, await app.call('GET', PATH, { token: app.admin.token })]
  await proxy.close()
  for (const { status, headers, json } of answers.filter((answer) => answer.status !== 200))
    expect([status, headers.get('retry-after'), json.detail]).toEqual([
      503,
      '2',
      'The queues cannot be read while Redis is away. Please try again.',
    ])
  await waitUntil(() => !app.context.announce.isReady(), { what: 'The end of its connection' })

  expect(await names()).toEqual({ status: 200, names: [DELIVERIES_QUEUE] })
  const problems = await app.call('GET', '/admin/queues/leadwire/problems', { token: app.admin.token })
  expect(problems.text).toContain('Redis does not answer.')
})
