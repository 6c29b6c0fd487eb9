import { describe, expect, it } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'
import {
  allClosed,
  answering,
  closeLater,
  listen,
  LONG_MS,
  loopback,
  open,
  requestTo,
} from './open-transport.ts'

describe('a request', () => {
  it('arrives byte for byte, with its signature, its latin-1 headers and only necessary others', async () => {
    const server = await listen(answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
    const request = requestTo(
      `${server.url}?key=a%20b`,
      { 'X-Ort': 'Müller £' },
      '{"n":"{{name}}","e":"Zoë 😀"}',
    )
    const { exchange, body, remoteAddress, timing } = await open().send(request)
    expect(exchange).toMatchObject({ kind: 'answer', status: 200 })
    expect({ body, remoteAddress }).toEqual({ body: 'ok', remoteAddress: '127.0.0.1' })
    expect(timing.connect_ms).toBeLessThanOrEqual(timing.headers_ms ?? -1)
    expect(timing.headers_ms).toBeLessThanOrEqual(timing.total_ms)
    const [head = '', sent] = server.received().split('\r\n\r\n')
    expect(Buffer.from(sent ?? '', 'latin1').toString('utf8')).toBe(request.body)
    const [line, ...headers] = head.split('\r\n')
    expect(line).toBe('POST /hook?key=a%20b HTTP/1.1')
    expect(headers).toContain('X-Ort: Müller £')
    const names = headers.map((header) => header.split(':')[0]?.toLowerCase())
    expect(new Set(names)).toEqual(
      new Set([
        'host',
        'connection',
        'content-length',
        ...Object.keys(request.headers).map((name) => name.toLowerCase()),
      ]),
    )
    expect(names).toHaveLength(new Set(names).size)
  })

  it('uses a connection again, and then reports no connect time', async () => {
    const receiver = await startReceiver()
    closeLater(receiver.close)
    const transport = open(LONG_MS, loopback, 1)
    const first = await transport.send(requestTo(receiver.url))
    const second = await transport.send(requestTo(receiver.url))
    expect(first.timing.connect_ms).toBeTypeOf('number')
    expect(second.timing.connect_ms).toBeNull()
    expect(second.remoteAddress).toBe(first.remoteAddress)
  })

  it('waits if all allowed connections are in use, and each one is answered', async () => {
    let most = 0
    const server = await listen((socket) => {
      most = Math.max(most, server.open())
      setImmediate(() => socket.write('HTTP/1.1 204 No Content\r\n\r\n'))
    })
    const transport = open(LONG_MS, loopback, 2)
    const results = await Promise.all(Array.from({ length: 40 }, () => transport.send(requestTo(server.url))))
    expect(results.filter(({ exchange }) => exchange.kind === 'answer')).toHaveLength(40)
    expect(most).toBe(2)
    expect(server.accepted()).toBe(2)
  })

  it.each([
    ['a header that splits', { 'X-Evil': 'a\r\nX-Other: b' }],
    ['a header beyond latin-1', { 'X-Evil': '😀' }],
    ['a header without a valid name', { 'X Evil': 'a' }],
  ])('with %s is refused before anything is sent', async (_what, headers) => {
    const server = await listen(answering('HTTP/1.1 200 OK\r\n\r\n'))
    const { exchange } = await open().send(requestTo(server.url, headers))
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'invalid_request' })
    expect(server.received()).toBe('')
  })

  it.each(['nowhere', '', 'http://'])('to %j returns a failure, and does not reject', async (url) => {
    const { exchange } = await open().send(requestTo(url))
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'invalid_request' })
  })
})

describe('a caller that gives up', () => {
  it('before the start sends nothing', async () => {
    const server = await listen(() => undefined)
    const { exchange } = await open().send(requestTo(server.url), { signal: AbortSignal.abort() })
    expect(exchange).toMatchObject({
      kind: 'failure',
      detail: expect.stringContaining('Leadwire stopped') as string,
    })
    expect(server.accepted()).toBe(0)
  })

  it('while the request is in flight frees the connection at once', async () => {
    const server = await listen(() => undefined)
    const stop = new AbortController()
    const sending = open().send(requestTo(server.url), { signal: stop.signal })
    await waitUntil(() => server.received() !== '')
    stop.abort()
    expect((await sending).exchange).toMatchObject({
      kind: 'failure',
      detail: expect.stringContaining('Leadwire stopped') as string,
    })
    await allClosed(server)
  })

  it('by closing the transport gets a result for each request in flight', async () => {
    const server = await listen(() => undefined)
    const transport = open()
    const sending = transport.send(requestTo(server.url))
    await waitUntil(() => server.received() !== '')
    await transport.close()
    expect((await sending).exchange).toMatchObject({ kind: 'failure', errorClass: 'reset' })
    expect((await transport.send(requestTo(server.url))).exchange).toMatchObject({ kind: 'failure' })
    await allClosed(server)
  })
})
