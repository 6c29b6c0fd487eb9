import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HTTP_LIMITS } from '#core/http/open-http-server.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { chunk, headOf, openLineOfTest, type Line } from '../../support/speak-http.ts'
import { newLead, startApp, type TestApp, type TestSource } from '../../support/start-app.ts'

const FIVE_GB = 5_000_000_000
const JSON_TYPE = { 'Content-Type': 'application/json' }
const REST_MS = 300

let app: TestApp
let source: TestSource

beforeAll(async () => {
  app = await startApp({}, undefined, { ...HTTP_LIMITS, restMs: REST_MS })
  source = await app.newSource()
})
afterAll(() => app.close())

const open = () => openLineOfTest(app.url)

const isClosed = ({ port }: Line) => waitUntil(() => !app.isConnected(port), { what: 'The end of the line' })
const post = (path: string, headers: Record<string, string | number> = {}) =>
  headOf(`POST ${path}`, { Authorization: `Bearer ${source.key}`, ...JSON_TYPE, ...headers })

async function countLeads(): Promise<number> {
  const { text } = await app.call('GET', '/metrics')
  return Number(/^leadwire_leads_total\{result="accepted"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

describe('a declared length above the limit is answered 413 before a byte of the body arrives,', () => {
  test.each([
    '/api/v1/leads',
    '/api/v1/leads/batch',
    '/auth/v1/signup',
    '/auth/v1/token?grant_type=password',
  ])('at %s', async (path) => {
    const line = await open()
    line.say(post(path, { 'Content-Length': FIVE_GB }))

    expect((await line.hears(413)).toLowerCase()).toContain('\r\nconnection: close\r\n')
    await isClosed(line)
  })

  test('compressed or not', async () => {
    const line = await open()
    line.say(post('/api/v1/leads', { 'Content-Length': FIVE_GB, 'Content-Encoding': 'gzip' }))
    await line.hears(413)
  })

  test('and 100 Continue is not sent', async () => {
    const line = await open()
    line.say(post('/api/v1/leads', { 'Content-Length': FIVE_GB, Expect: '100-continue' }))

    expect(await line.hears(413)).not.toContain('HTTP/1.1 100')
    await isClosed(line)
  })
})

test('a chunked body is answered 413 as soon as it is too long, even if it never ends', async () => {
  const line = await open()
  line.say(post('/api/v1/leads', { 'Transfer-Encoding': 'chunked' }))
  for (let sent = 0; sent <= 1024; sent += 64) line.say(chunk('x'.repeat(65_536)))

  expect((await line.hears(413)).toLowerCase()).toContain('\r\nconnection: close\r\n')
  await isClosed(line)
})

describe('after an answer before the body’s end, a connection stays open', () => {
  test.each([
    ['a refused key', 'POST /api/v1/leads', 401],
    ['an unknown call', 'POST /api/v1/nothing', 404],
    ['a method that is not taken', 'DELETE /api/v1/leads', 405],
    ['a probe', 'GET /healthz', 200],
    ['a file', 'GET /assets/nothing.js', 404],
  ])('only for the grace period, after %s', async (_what, line, status) => {
    const one = await open()
    one.say(headOf(line, { ...JSON_TYPE, 'Content-Length': 100_000 }))
    const heard = await one.hears(status)
    const trickle = setInterval(() => one.say('x'), 20)
    try {
      expect(heard.toLowerCase()).toContain('\r\nconnection: close\r\n')
      await isClosed(one)
    } finally {
      clearInterval(trickle)
    }
  })

  test('until the end of the body, so that its sender gets the answer', async () => {
    const patient = await startApp({}, undefined, { ...HTTP_LIMITS, restMs: 600_000 })
    const line = await openLineOfTest(patient.url)
    line.say(headOf('POST /api/v1/leads', { ...JSON_TYPE, 'Content-Length': 1_000_000 }))
    await line.hears(401)
    expect(patient.isConnected(line.port)).toBe(true)

    line.say('x'.repeat(1_000_000))

    await waitUntil(() => !patient.isConnected(line.port), { what: 'The end of the line' })
    await patient.close()
  })

  test('without handling further requests', async () => {
    const before = await countLeads()
    const lead = JSON.stringify(newLead())
    const line = await open()
    line.say(headOf('POST /api/v1/leads', { ...JSON_TYPE, 'Content-Length': 10 }))
    await line.hears(401)
    line.say(`0123456789${post('/api/v1/leads', { 'Content-Length': lead.length })}${lead}`)

    await isClosed(line)
    expect(await countLeads()).toBe(before)
    expect(line.heard()).not.toContain('HTTP/1.1 201')
  })
})

describe('a complete lead is accepted, and its connection serves the next:', () => {
  const isKept = (heard: string) => !heard.toLowerCase().includes('connection: close')

  test('one after another', async () => {
    const line = await open()
    for (let count = 1; count <= 2; count += 1) {
      const lead = JSON.stringify(newLead())
      line.say(post('/api/v1/leads', { 'Content-Length': lead.length }) + lead)
      await waitUntil(() => line.heard().split('HTTP/1.1 201').length > count, { what: `Receipt ${count}` })
    }
    expect(isKept(line.heard())).toBe(true)
  })

  test('in many small chunks', async () => {
    const line = await open()
    line.say(post('/api/v1/leads', { 'Transfer-Encoding': 'chunked' }))
    for (const letter of JSON.stringify(newLead())) {
      line.say(chunk(letter))
      await new Promise(setImmediate)
    }
    line.say('0\r\n\r\n')

    expect(isKept(await line.hears(201))).toBe(true)
  })

  test('from a sender that waits for 100 Continue', async () => {
    const lead = JSON.stringify(newLead())
    const line = await open()
    line.say(post('/api/v1/leads', { 'Content-Length': lead.length, Expect: '100-continue' }))
    await line.hears(100)
    line.say(lead)

    expect(isKept(await line.hears(201))).toBe(true)
  })
})

test('a client that waits for 100 Continue is refused without it if its body is not needed', async () => {
  const line = await open()
  line.say(headOf('POST /api/v1/leads', { ...JSON_TYPE, 'Content-Length': 10, Expect: '100-continue' }))

  expect(await line.hears(401)).not.toContain('HTTP/1.1 100')
  await isClosed(line)
})
