import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createAddressGuard } from '#core/endpoint/guard-address.ts'
import type { WebhookRequest } from '#core/endpoint/prepare-request.ts'
import { waitUntil } from '#tests/support/condition.ts'
import type { Speak } from '#tests/support/peers/raw-server.ts'
import { allClosed, drip, listen, LONG_MS, loopback, open, requestTo, SHORT_MS } from './open-transport.ts'

describe('the time limit', () => {
  const timesOut = async (speak: Speak, request: (url: string) => WebhookRequest = requestTo) => {
    const server = await listen(speak)
    const result = await open(SHORT_MS).send(request(server.url))
    expect(result.exchange).toMatchObject({ kind: 'failure', errorClass: 'timeout' })
    expect(result.timing.total_ms).toBeGreaterThanOrEqual(SHORT_MS - 20)
    expect(result.timing.total_ms).toBeLessThan(SHORT_MS + 6000)
    await allClosed(server)
    return result
  }

  it('ends an endpoint that never answers', async () => {
    expect(await timesOut(() => undefined)).toMatchObject({
      exchange: { detail: expect.stringContaining('Your endpoint did not answer within 1 s.') as string },
      body: null,
      timing: { headers_ms: null },
      // The lead was sent and got no answer.
      remoteAddress: '127.0.0.1',
    })
  })

  it('ends an endpoint that begins its answer and stops', async () => {
    const { exchange } = await timesOut((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-type: te'))
    expect(exchange).toMatchObject({
      detail: expect.stringContaining('Your endpoint did not finish its answer within 1 s.') as string,
    })
  })

  it('ends an endpoint that drips its headers', async () => {
    await timesOut((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      drip(socket, 'x-slow: 1\r\n')
    })
  })

  it('ends an endpoint that drips its body, and keeps what came', async () => {
    const result = await timesOut((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
      drip(socket, 'x')
    })
    expect(result.exchange).toMatchObject({
      detail: expect.stringContaining('Your endpoint did not finish its answer within 1 s.') as string,
    })
    expect(result.body).toMatch(/^x+$/)
    expect(result.timing.headers_ms).toBeTypeOf('number')
  })

  it('ends an endpoint that does not read the request', async () => {
    // Longer than any prepared payload: no socket buffer takes it whole.
    const body = 'x'.repeat(8 * 1024 * 1024)
    let paused = true
    const server = await listen((socket) => {
      if (paused) socket.pause()
    })
    const { exchange } = await open(SHORT_MS).send({ ...requestTo(server.url), body })
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'timeout' })
    // Only a reader can notice that the other side has gone.
    paused = false
    for (const socket of server.sockets()) socket.resume()
    await allClosed(server)
    expect(server.received().length).toBeLessThan(body.length)
  })

  it('ends a TLS handshake that never finishes', async () => {
    const { exchange } = await timesOut(
      () => undefined,
      (url) => requestTo(url.replace('http:', 'https:')),
    )
    expect(exchange).toMatchObject({
      detail:
        'No connection to your endpoint was made within 1 s. Check Endpoint URL, and that your firewall lets us in.',
    })
  })

  it('ends a name that never resolves', async () => {
    const guard = createAddressGuard([], () => undefined)
    const { exchange } = await open(SHORT_MS, guard).send(requestTo('http://crm.example.com/'))
    expect(exchange).toMatchObject({
      errorClass: 'timeout',
      detail: expect.stringContaining('No connection to your endpoint was made within 1 s.') as string,
    })
  })

  it('ends a request that waits for a connection', async () => {
    const server = await listen(() => undefined)
    const transport = open(SHORT_MS, loopback, 1)
    const results = await Promise.all([1, 2, 3].map(() => transport.send(requestTo(server.url))))
    expect(results.map(({ exchange }) => exchange)).toMatchObject([
      { errorClass: 'timeout' },
      { errorClass: 'timeout' },
      { errorClass: 'timeout' },
    ])
    await allClosed(server)
  })

  it('keeps a request from being sent after it was given up while it waited for a connection', async () => {
    const held: Socket[] = []
    const server = await listen((socket) => held.push(socket))
    const answer = () => held.at(-1)?.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    const transport = open(LONG_MS, loopback, 1)
    const first = transport.send(requestTo(server.url))
    await waitUntil(() => held.length === 1, { what: 'The first request' })
    const giveUp = new AbortController()
    const waiting = [2, 3].map(() => transport.send(requestTo(server.url), { signal: giveUp.signal }))
    // Queued behind those two.
    const last = transport.send(requestTo(server.url))
    giveUp.abort()
    for (const { exchange } of await Promise.all(waiting)) expect(exchange).toMatchObject({ kind: 'failure' })

    answer()
    expect((await first).exchange).toMatchObject({ kind: 'answer', status: 200 })
    await waitUntil(() => held.length === 2, { what: 'The last request' })
    answer()
    expect((await last).exchange).toMatchObject({ kind: 'answer', status: 200 })
    expect(server.received().match(/POST \/hook/g)).toHaveLength(2)
  })
})
