import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MEMORY } from '#server/admission/limits.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { headOf, openLineOfTest } from '../../support/speak-http.ts'
import { newLead, startApp, type TestApp, type TestSource } from '../../support/start-app.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const MIB = 1024 * 1024
const JSON_TYPE = { 'Content-Type': 'application/json' }

let app: TestApp
let source: TestSource
beforeAll(async () => {
  app = await startApp()
  source = await app.newSource()
})
afterAll(() => app.close())

const open = () => openLineOfTest(app.url)

test('a body that arrives byte by byte needs little more memory than its length', async () => {
  const bytes = 256 * 1024
  const line = await open()
  collect()
  const before = process.memoryUsage().heapUsed
  line.say(headOf('POST /auth/v1/signup', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }))
  for (let said = 0; said < bytes; said += 1024) line.say('1\r\n \r\n'.repeat(1024))
  await waitUntil(() => app.bytesTaken(line.port) > 6 * bytes, { what: 'the body but for its end' })
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * MIB)
  line.say('0\r\n\r\n')
  await line.hears(400)
})

test('a caller that uses up its memory for bodies must wait until they are answered, and others need not', async () => {
  const other = await app.newSource()
  const post = async ({ key }: TestSource) =>
    await app.call('POST', '/api/v1/leads', { token: key, body: newLead() })
  const many = await Promise.all(Array.from({ length: 1 + MEMORY.ofCaller / (5 * MIB) }, open))
  for (const line of many) {
    const headers = { Authorization: `Bearer ${source.key}`, ...JSON_TYPE, 'Content-Length': 5 * MIB }
    line.say(headOf('POST /api/v1/leads/batch', headers))
    line.say(' '.repeat(5 * MIB - 1))
  }
  await waitUntil(() => many.some((line) => line.heard().includes('HTTP/1.1 429 ')), { what: 'a refusal' })
  expect((await post(other)).status).toBe(201)

  for (const line of many) line.hangUp()
  await waitUntil(async () => (await post(source)).status === 201, { what: 'a lead that is taken' })
})
