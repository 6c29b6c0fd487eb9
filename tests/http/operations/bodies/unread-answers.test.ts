import { afterAll, beforeAll, expect, test } from 'vitest'
import { HTTP_LIMITS, openHttpServer } from '#core/http/open-http-server.ts'
import { MEMORY } from '#server/admission/limits.ts'
import { memoryOfProcess } from '#server/admission/memory.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { headOf, openLine } from '../../support/speak-http.ts'
import { startApp, type TestApp } from '../../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('a connection that does not read its answer is closed, and one that reads slowly is not', async () => {
  const length = 16 * 1024 * 1024
  const { server, port } = await openHttpServer({
    listener: (_request, response) => response.end('x'.repeat(length)),
    host: '127.0.0.1',
    port: 0,
    limits: { ...HTTP_LIMITS, stillMs: 300 },
  })
  const deaf = await openLine(`http://127.0.0.1:${port}`)
  deaf.pause()
  const slow = await openLine(`http://127.0.0.1:${port}`)
  const reading = setInterval(slow.takePiece, 5)
  for (const line of [deaf, slow]) line.say(headOf('GET /'))
  const open = () =>
    new Promise<number>((resolve) => {
      server.getConnections((_error, count) => resolve(count))
    })
  await waitUntil(async () => (await open()) === 1, { what: 'the end of one connection' })
  await waitUntil(() => slow.heard().length > length, { what: 'all of the answer', timeoutMs: 60_000 })
  clearInterval(reading)
  for (const line of [deaf, slow]) line.hangUp()
  server.closeAllConnections()
  server.close()
})

test('a client that does not read its answers gets no more until they are read or discarded', async () => {
  const client = await app.newApprovedClient()
  const other = await app.newApprovedClient()
  const ask = async (token: string) => (await app.call('GET', '/api/v1/webhook-configs', { token })).status
  const unread = memoryOfProcess.open(client.id)
  unread.hold(MEMORY.ofCaller + 1)
  expect([await ask(client.token), await ask(other.token)]).toEqual([429, 200])
  unread.end()
  expect(await ask(client.token)).toBe(200)
})
