import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HTTP_LIMITS, openHttpServer } from '#core/http/open-http-server.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { chunk, headOf, openLine } from '../../support/speak-http.ts'
import { startApp, type TestApp, type TestSource } from '../../support/start-app.ts'

let app: TestApp
let source: TestSource
beforeAll(async () => {
  app = await startApp({}, undefined, { ...HTTP_LIMITS, headersMs: 500, requestMs: 1_000 })
  source = await app.newSource()
})
afterAll(() => app.close())

/** Sends a beginning and then a chunk again and again until the server gives up; returns its answer. */
async function trickle(begin: string, piece: string): Promise<string> {
  const line = await openLine(app.url)
  line.say(begin)
  const more = setInterval(() => line.say(piece), 50)
  try {
    const heard = await line.hears(408)
    await waitUntil(() => !app.isConnected(line.port), { what: 'The end of the line' })
    return heard
  } finally {
    clearInterval(more)
    line.hangUp()
  }
}

describe('a slow request is answered 408 and its connection closed', () => {
  const post = (headers: Record<string, string | number>) =>
    headOf('POST /api/v1/leads', {
      Authorization: `Bearer ${source.key}`,
      'Content-Type': 'application/json',
      ...headers,
    })

  test('if its headers arrive too slowly', async () => {
    expect(await trickle('GET /healthz HTTP/1.1\r\nHost: localhost\r\n', 'X-More: 1\r\n')).toContain('408')
  })

  test('if a body of a declared length arrives too slowly', async () => {
    expect(await trickle(post({ 'Content-Length': 100_000 }), ' ')).not.toContain('HTTP/1.1 2')
  })

  test('if a chunked body arrives too slowly', async () => {
    expect(await trickle(post({ 'Transfer-Encoding': 'chunked' }), chunk(' '))).not.toContain('HTTP/1.1 2')
  })
})

test('every server has these limits', async () => {
  expect(HTTP_LIMITS).toEqual({
    headersMs: 20_000,
    requestMs: 120_000,
    keepAliveMs: 65_000,
    stillMs: 120_000,
    restMs: 2_000,
  })

  const { server } = await openHttpServer({ listener: () => undefined, host: '127.0.0.1', port: 0 })
  expect({
    headers: server.headersTimeout,
    request: server.requestTimeout,
    kept: server.keepAliveTimeout,
  }).toEqual({ headers: 20_000, request: 120_000, kept: 65_000 })
  server.close()
})
