import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTcpProxy, type TcpProxy } from '#scripts/lab/start-tcp-proxy.ts'
import { testRedisUrl } from '#tests/support/services/redis.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { startApp, type TestApp } from '../../support/start-app.ts'

const PATH = '/admin/queues/api/queues'

let app: TestApp
let proxy: TcpProxy
beforeAll(async () => {
  proxy = await startTcpProxy(testRedisUrl())
  app = await startApp({ REDIS_URL: proxy.through(testRedisUrl()) })
  await waitUntil(() => app.context.announce.isReady(), { what: 'Redis' })
})
afterAll(() => app.close())

test('an open dashboard says that Redis is missing, without the error’s own text', async () => {
  const open = () => app.call('GET', PATH, { token: app.admin.token })
  expect((await open()).status).toBe(200)
  const read = open()
  proxy.forgetAll()
  const answers = [await read, await open()]
  await proxy.close()
  await waitUntil(() => !app.context.announce.isReady(), { what: 'The end of its connection' })
  answers.push(await open())

  for (const { status, headers, json } of answers.filter((answer) => answer.status !== 200))
    expect([status, headers.get('retry-after'), json.detail]).toEqual([
      503,
      '2',
      'The queues cannot be read while Redis is away. Please try again.',
    ])
  expect(answers.at(-1)?.status).toBe(503)
})
