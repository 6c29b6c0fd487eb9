import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { compileTemplate } from '#core/domain/render-template.ts'
import { sampleValues } from '#core/domain/sample-lead.ts'
import { createAddressGuard, type AddressGuard, type ResolveName } from '#core/webhook/guard-address.ts'
import { KEPT_BODY_BYTES } from '#core/webhook/exchange-once.ts'
import { prepareRequest, type WebhookRequest } from '#core/webhook/prepare-request.ts'
import { createSigningSecret } from '#core/webhook/sign.ts'
import { createTransport, type Transport } from '#core/webhook/transport.ts'
import { createTestAuthority, selfSigned } from '#tests/support/certificate.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { startRawServer, type RawServer, type Speak } from '#tests/support/raw-server.ts'
import { startReceiver } from '#tests/support/receiver.ts'

const loopback = createAddressGuard(['127.0.0.0/8', '::1/128'])
/** Short enough for a test of the limit, long enough for a busy machine where the limit is not the point. */
const SHORT_MS = 400
const LONG_MS = 10_000

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

function open(timeoutMs = LONG_MS, guard: AddressGuard = loopback, connectionsPerOrigin = 4): Transport {
  const transport = createTransport(guard, { timeoutMs, connectionsPerOrigin })
  closers.push(transport.close)
  return transport
}

async function listen(speak: Speak, options?: Parameters<typeof startRawServer>[1]): Promise<RawServer> {
  const server = await startRawServer(speak, options)
  closers.push(server.close)
  return server
}

const SECRET = createSigningSecret()
const requestTo = (
  url: string,
  customHeaders: Record<string, string> = {},
  template = '{"name":"{{name}}"}',
) =>
  prepareRequest(
    {
      endpointUrl: url,
      method: 'POST',
      payloadType: 'JSON',
      template: compileTemplate(template),
      customHeaders,
      signingSecrets: [SECRET],
    },
    { event: 'lead.assigned', eventId: 'evt-1', deliveryId: 'dlv-1', attempt: 1, sentAt: new Date() },
    sampleValues('lead.assigned', new Date()),
    'https://leadwire.example.com',
  )

const answering =
  (...bytes: (string | Buffer)[]): Speak =>
  (socket) => {
    socket.end(Buffer.concat(bytes.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))))
  }

/** Writes one byte every few milliseconds for as long as the client listens. */
function drip(socket: Socket, text: string): void {
  let at = 0
  const timer = setInterval(() => {
    socket.write(text[at % text.length] ?? ' ')
    at += 1
  }, 10)
  socket.on('close', () => {
    clearInterval(timer)
  })
}

const allClosed = (server: RawServer): Promise<boolean> =>
  waitUntil(() => server.open() === 0, { what: 'The closing of every connection' })

describe('a request', () => {
  it('arrives byte for byte, with its signature, its latin-1 headers and no others than are needed', async () => {
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

  it('uses a connection again, and says so by having no connect time', async () => {
    const receiver = await startReceiver()
    closers.push(receiver.close)
    const transport = open(LONG_MS, loopback, 1)
    const first = await transport.send(requestTo(receiver.url))
    const second = await transport.send(requestTo(receiver.url))
    expect(first.timing.connect_ms).toBeTypeOf('number')
    expect(second.timing.connect_ms).toBeNull()
    expect(second.remoteAddress).toBe(first.remoteAddress)
  })

  it('goes over no more connections than allowed, and all are answered', async () => {
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

  it.each(['nowhere', '', 'http://'])('to %j is a result, not a rejection', async (url) => {
    const { exchange } = await open().send(requestTo(url))
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'invalid_request' })
  })
})

describe('an answer', () => {
  it.each([301, 302, 303, 307, 308])('of %i is not followed', async (status) => {
    const elsewhere = await listen(answering('HTTP/1.1 200 OK\r\n\r\n'))
    const server = await listen(
      answering(`HTTP/1.1 ${status} Elsewhere\r\nlocation: ${elsewhere.url}\r\ncontent-length: 0\r\n\r\n`),
    )
    const { exchange } = await open().send(requestTo(server.url))
    expect(exchange).toMatchObject({ kind: 'answer', status, headers: { location: elsewhere.url } })
    expect(elsewhere.accepted()).toBe(0)
  })

  it('of 204 counts although a body follows it', async () => {
    const server = await listen(answering('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello'))
    const { exchange, body } = await open().send(requestTo(server.url))
    expect(exchange).toMatchObject({ kind: 'answer', status: 204 })
    expect(body).toBe('')
    await allClosed(server)
  })

  it('is awaited past early hints', async () => {
    const server = await listen(
      answering(
        'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n',
        'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
      ),
    )
    expect(await open().send(requestTo(server.url))).toMatchObject({
      exchange: { kind: 'answer', status: 200, headers: { 'content-length': '2' } },
      body: 'ok',
    })
  })

  it('without a length ends with the connection', async () => {
    const server = await listen(
      answering('HTTP/1.1 500 Oops\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n\r\nbroken'),
    )
    const { exchange, body } = await open().send(requestTo(server.url))
    expect(exchange).toMatchObject({ kind: 'answer', status: 500, headers: { 'set-cookie': 'a=1, b=2' } })
    expect(body).toBe('broken')
  })

  it('with more than its length is cut there', async () => {
    const server = await listen(answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok and more'))
    const { exchange, body } = await open().send(requestTo(server.url))
    expect(exchange).toMatchObject({ kind: 'answer', status: 200 })
    expect(body).toBe('ok')
    await allClosed(server)
  })

  it('keeps what text it can of NUL bytes and invalid UTF-8', async () => {
    const bytes = Buffer.from([0x61, 0x00, 0xff, 0xc3, 0x28, 0xe2, 0x82])
    const server = await listen(answering('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n', bytes))
    expect((await open().send(requestTo(server.url))).body).toBe('a\ufffd\ufffd(\ufffd')
  })

  it('is kept up to 16 KiB, never with half a character at the cut', async () => {
    const text = `${'a'.repeat(KEPT_BODY_BYTES - 2)}😀${'b'.repeat(20_000)}`
    const size = Buffer.byteLength(text)
    const server = await listen((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n${text}`)
    })
    const transport = open(LONG_MS, loopback, 1)
    const { body, bodyTruncated } = await transport.send(requestTo(server.url))
    expect({ body, bodyTruncated }).toEqual({ body: 'a'.repeat(KEPT_BODY_BYTES - 2), bodyTruncated: true })
    // The rest was read and dropped, so the connection is still good.
    await transport.send(requestTo(server.url))
    expect(server.accepted()).toBe(1)
  })

  it('of exactly 16 KiB is whole', async () => {
    const text = 'a'.repeat(KEPT_BODY_BYTES)
    const server = await listen(answering(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`))
    expect(await open().send(requestTo(server.url))).toMatchObject({ body: text, bodyTruncated: false })
  })

  it('that is a gzip bomb, though identity was asked for, is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
    const server = await listen(
      answering(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`, bomb),
    )
    const { exchange, body, bodyTruncated } = await open().send(requestTo(server.url))
    expect(server.received()).toContain('accept-encoding: identity')
    expect(exchange).toMatchObject({ kind: 'answer', status: 200 })
    expect(bodyTruncated).toBe(bomb.length > KEPT_BODY_BYTES)
    expect(Buffer.byteLength(body ?? '')).toBeLessThanOrEqual(3 * KEPT_BODY_BYTES)
  })

  it.each([
    ['with a length', `content-length: ${200 * 1024 * 1024}`, (chunk: Buffer) => chunk],
    [
      'in chunks',
      'transfer-encoding: chunked',
      (chunk: Buffer) =>
        Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
    ],
  ])('of 200 MB %s is cut off early, in flat memory', async (_what, header, frame) => {
    const chunk = frame(Buffer.alloc(64 * 1024, 'x'))
    let written = 0
    const pour = (socket: Socket): void => {
      while (!socket.destroyed && written < 200 * 1024 * 1024) {
        written += chunk.length
        if (!socket.write(chunk)) {
          socket.once('drain', () => {
            pour(socket)
          })
          return
        }
      }
    }
    const server = await listen((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`)
      pour(socket)
    })
    const before = process.memoryUsage().rss
    const { exchange, body, bodyTruncated } = await open().send(requestTo(server.url))
    expect(exchange).toMatchObject({ kind: 'answer', status: 200 })
    expect({ length: body?.length, bodyTruncated }).toEqual({ length: KEPT_BODY_BYTES, bodyTruncated: true })
    await allClosed(server)
    expect(written).toBeLessThan(30 * 1024 * 1024)
    expect(process.memoryUsage().rss - before).toBeLessThan(40 * 1024 * 1024)
  })
})

describe('within the limit of time', () => {
  const timesOut = async (speak: Speak, request: (url: string) => WebhookRequest = requestTo) => {
    const server = await listen(speak)
    const result = await open(SHORT_MS).send(request(server.url))
    expect(result.exchange).toMatchObject({ kind: 'failure', errorClass: 'timeout' })
    expect(result.timing.total_ms).toBeGreaterThanOrEqual(SHORT_MS - 20)
    expect(result.timing.total_ms).toBeLessThan(SHORT_MS + 2000)
    await allClosed(server)
    return result
  }

  it('ends an endpoint that never answers', async () => {
    expect(await timesOut(() => undefined)).toMatchObject({
      exchange: { detail: 'Your endpoint did not answer within 0.4 s.' },
      body: null,
      timing: { headers_ms: null },
    })
  })

  it('ends an endpoint that begins its answer and stops', async () => {
    const { exchange } = await timesOut((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-type: te'))
    expect(exchange).toMatchObject({ detail: 'Your endpoint did not answer within 0.4 s.' })
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
    expect(result.exchange).toMatchObject({ detail: 'Your endpoint did not finish its answer within 0.4 s.' })
    expect(result.body).toMatch(/^x+$/)
    expect(result.timing.headers_ms).toBeTypeOf('number')
  })

  it('ends an endpoint that does not read what it is sent', async () => {
    const template = JSON.stringify({ long: 'x'.repeat(8 * 1024 * 1024) })
    let paused = true
    const server = await listen((socket) => {
      if (paused) socket.pause()
    })
    const { exchange } = await open(SHORT_MS).send(requestTo(server.url, {}, template))
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'timeout' })
    // Only who reads again can see that the other side has gone.
    paused = false
    for (const socket of server.sockets()) socket.resume()
    await allClosed(server)
    expect(server.received().length).toBeLessThan(template.length)
  })

  it('ends a secure connection that is never made', async () => {
    await timesOut(
      () => undefined,
      (url) => requestTo(url.replace('http:', 'https:')),
    )
  })

  it('ends a name that never resolves', async () => {
    const guard = createAddressGuard([], () => undefined)
    const { exchange } = await open(SHORT_MS, guard).send(requestTo('http://crm.example.com/'))
    expect(exchange).toMatchObject({ errorClass: 'timeout' })
  })

  it('never sends later what ran out of time while it waited for a connection', async () => {
    const server = await listen(() => undefined)
    const transport = open(SHORT_MS, loopback, 1)
    const results = await Promise.all([1, 2, 3].map(() => transport.send(requestTo(server.url))))
    expect(results.map(({ exchange }) => exchange)).toMatchObject([
      { errorClass: 'timeout' },
      { errorClass: 'timeout' },
      { errorClass: 'timeout' },
    ])
    await allClosed(server)
    expect(server.received().match(/POST \/hook/g)).toHaveLength(1)
  })
})

describe('a connection', () => {
  const failsOn = async (speak: Speak) => {
    const server = await listen(speak)
    const result = await open().send(requestTo(server.url))
    await allClosed(server)
    return result
  }

  it.each<[string, Speak]>([
    ['is reset', (socket) => socket.resetAndDestroy()],
    ['is closed', (socket) => socket.end()],
    ['is closed after early hints', (socket) => socket.end('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')],
    [
      'is reset in the middle of the headers',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nx-half: ', () => socket.resetAndDestroy()),
    ],
  ])('that %s before the answer is a reset', async (_what, speak) => {
    expect(await failsOn(speak)).toMatchObject({
      exchange: { errorClass: 'reset', detail: 'Your endpoint closed the connection without an answer.' },
      body: null,
    })
  })

  it('that is reset as soon as it stands is a reset, not a blocked address', async () => {
    const server = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(async () => {
      server.close()
      await once(server, 'close')
    })
    const { port } = server.address() as AddressInfo
    const transport = open()
    const results = await Promise.all(
      Array.from({ length: 8 }, () => transport.send(requestTo(`http://127.0.0.1:${port}/`))),
    )
    expect(
      new Set(results.map(({ exchange }) => exchange.kind === 'failure' && exchange.errorClass)),
    ).toEqual(new Set(['reset']))
  })

  it.each<[string, Speak]>([
    ['closed', answering('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')],
    [
      'reset',
      (socket) =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () => {
          setTimeout(() => socket.resetAndDestroy(), 50)
        }),
    ],
    [
      'closed between chunks',
      answering('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n'),
    ],
  ])('that is %s before the end of the answer is a reset', async (_what, speak) => {
    expect(await failsOn(speak)).toMatchObject({
      exchange: {
        errorClass: 'reset',
        detail: 'Your endpoint closed the connection before the end of its answer.',
      },
      body: 'half',
    })
  })

  it.each<[string, Speak]>([
    ['another protocol', answering('SSH-2.0-OpenSSH_9.2p1\r\n')],
    ['a chunk without a size', answering('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n')],
    ['a NUL in a header', answering('HTTP/1.1 200 OK\r\nx-nul: a\0b\r\ncontent-length: 0\r\n\r\n')],
  ])('that carries %s is not HTTP', async (_what, speak) => {
    expect(await failsOn(speak)).toMatchObject({
      exchange: { errorClass: 'reset', detail: 'Your endpoint sent something that is not HTTP.' },
    })
  })

  it.each<[string, string]>([
    ['two lengths', 'content-length: 2\r\ncontent-length: 5\r\n\r\nhello'],
    ['a length and chunks', 'content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
  ])('that carries %s is no answer to rely on', async (_what, rest) => {
    expect(await failsOn(answering(`HTTP/1.1 200 OK\r\n${rest}`))).toMatchObject({
      exchange: { kind: 'failure', errorClass: 'reset' },
    })
  })

  it.each([
    ['one header of 20 KB', `x-large: ${'a'.repeat(20_000)}\r\n`],
    ['a thousand small headers', 'x-many: aaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(1000)],
  ])('that carries %s is too large', async (_what, headers) => {
    expect(await failsOn(answering(`HTTP/1.1 200 OK\r\n${headers}content-length: 0\r\n\r\n`))).toMatchObject({
      exchange: { errorClass: 'too_large' },
    })
  })

  it('to a port where nothing listens is refused', async () => {
    const server = await startRawServer(() => undefined)
    await server.close()
    for (const host of ['127.0.0.1', 'localhost']) {
      const { exchange } = await open().send(requestTo(`http://${host}:${server.port}/`))
      expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'connect' })
    }
  })

  it.each<[string, (socket: Socket) => unknown]>([
    ['closes', (socket) => socket.end()],
    ['resets', (socket) => socket.resetAndDestroy()],
    ['a moment later resets', (socket) => setTimeout(() => socket.resetAndDestroy(), 2)],
  ])(
    'that the endpoint %s after each answer, without saying so, never costs a request',
    async (_how, leave) => {
      const server = await listen((socket, received) => {
        if (!received.startsWith('POST')) return
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', () => {
          setImmediate(leave, socket)
        })
      })
      for (const connections of [1, 4]) {
        const transport = open(LONG_MS, loopback, connections)
        const sendMany = async (): Promise<string[]> => {
          const seen: string[] = []
          for (let round = 0; round < 60; round += 1) {
            const { exchange } = await transport.send(requestTo(server.url))
            seen.push(exchange.kind === 'answer' ? String(exchange.status) : exchange.detail)
          }
          return seen
        }
        const seen = await Promise.all([sendMany(), sendMany(), sendMany()])
        expect(new Set(seen.flat())).toEqual(new Set(['200']))
      }
    },
  )

  it('that is new and breaks is not tried twice', async () => {
    const server = await listen((socket) => socket.resetAndDestroy())
    const { exchange } = await open().send(requestTo(server.url))
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'reset' })
    expect(server.accepted()).toBe(1)
  })

  it('that was good once and then breaks each time is tried on a new one, once', async () => {
    let posts = 0
    const server = await listen((socket) => {
      posts += 1
      if (posts === 1) socket.write('HTTP/1.1 204 No Content\r\n\r\n')
      else socket.resetAndDestroy()
    })
    const transport = open(LONG_MS, loopback, 1)
    await transport.send(requestTo(server.url))
    const { exchange } = await transport.send(requestTo(server.url))
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'reset' })
    expect({ posts, accepted: server.accepted() }).toEqual({ posts: 3, accepted: 2 })
  })
})

describe('an address', () => {
  const answerOk = answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok')
  const resolving =
    (...rounds: string[][]): ResolveName =>
    (_name, _options, callback) => {
      const round = (rounds.length > 1 ? rounds.shift() : rounds[0]) ?? []
      callback(
        null,
        round.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    }

  it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '0.0.0.0', 'localhost'])(
    'like %s is refused at the dial, whatever was saved',
    async (host) => {
      const server = await listen(answerOk)
      const { exchange, remoteAddress } = await open(LONG_MS, createAddressGuard([])).send(
        requestTo(`http://${host}:${server.port}/`),
      )
      expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'blocked_address' })
      expect({ remoteAddress, accepted: server.accepted() }).toEqual({ remoteAddress: null, accepted: 0 })
    },
  )

  it.each([
    [['127.0.0.2']],
    [['127.0.0.1', '127.0.0.2']],
    [['127.0.0.2', '127.0.0.1']],
    [['127.0.0.1', '::1']],
  ])('among %j that is not allowed refuses the name as a whole', async (addresses) => {
    const server = await listen(answerOk, { host: '0.0.0.0' })
    const guard = createAddressGuard(['127.0.0.1/32'], resolving(addresses))
    const { exchange } = await open(LONG_MS, guard).send(requestTo(`http://crm.example.com:${server.port}/`))
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'blocked_address' })
    expect(server.accepted()).toBe(0)
  })

  it('is judged at every dial, so a name that is bound anew reaches nothing', async () => {
    const server = await listen(answerOk, { host: '0.0.0.0' })
    const guard = createAddressGuard(['127.0.0.1/32'], resolving(['127.0.0.1'], ['127.0.0.2']))
    const transport = open(LONG_MS, guard)
    const url = `http://crm.example.com:${server.port}/hook`
    expect((await transport.send(requestTo(url))).exchange).toMatchObject({ kind: 'answer', status: 200 })
    await allClosed(server)
    expect((await transport.send(requestTo(url))).exchange).toMatchObject({ errorClass: 'blocked_address' })
    expect(server.accepted()).toBe(1)
  })

  it('that a name does not have is a fault of the name', async () => {
    const failing: ResolveName = (_name, _options, callback) => {
      callback(Object.assign(new Error('getaddrinfo'), { code: 'EAI_FAIL' }), [])
    }
    for (const resolve of [resolving([]), failing]) {
      const { exchange } = await open(LONG_MS, createAddressGuard([], resolve)).send(
        requestTo('https://crm.example.com/'),
      )
      expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'dns' })
    }
  })
})

describe('a certificate', () => {
  const answerOk = answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
  const authority = createTestAuthority('Leadwire test authority')
  const stranger = createTestAuthority('Unknown authority')
  const day = 24 * 3600 * 1000
  const expired = { from: new Date(Date.now() - 3 * day), until: new Date(Date.now() - day) }
  const future = { from: new Date(Date.now() + day), until: new Date(Date.now() + 2 * day) }

  const sendTo = async (tls: TlsOptions) => {
    const trusted = getCACertificates('default')
    setDefaultCACertificates([...trusted, authority.cert])
    closers.push(async () => {
      setDefaultCACertificates(trusted)
    })
    const server = await listen(answerOk, { tls })
    const result = await open().send(requestTo(server.url.replace('127.0.0.1', 'localhost')))
    return { ...result, received: server.received() }
  }

  it('of a trusted authority for the right name is accepted', async () => {
    expect(await sendTo(authority.issue(['localhost']))).toMatchObject({
      exchange: { kind: 'answer', status: 200 },
      body: 'ok',
    })
  })

  it.each([
    ['self-signed', selfSigned('localhost'), 'self-signed'],
    ['of an unknown authority', stranger.issue(['localhost']), 'intermediate certificates'],
    ['expired', authority.issue(['localhost'], expired), 'expired'],
    ['of tomorrow', authority.issue(['localhost'], future), 'not valid yet'],
    ['for another name', authority.issue(['crm.example.com', '127.0.0.1']), 'another host name'],
  ])('that is %s is refused, and nothing is sent', async (_what, tls, words) => {
    const { exchange, received } = await sendTo(tls)
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'tls' })
    expect(exchange).toHaveProperty('detail', expect.stringContaining(words))
    expect(received).toBe('')
  })

  it('is missed where the endpoint speaks plain HTTP', async () => {
    const server = await listen(answerOk)
    const { exchange } = await open().send(requestTo(server.url.replace('http:', 'https:')))
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'tls' })
  })

  it('does not help an endpoint that speaks only old TLS', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const { exchange } = await sendTo({ ...authority.issue(['localhost']), ...old })
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'tls' })
    expect(exchange).toHaveProperty('detail', expect.stringMatching(/VERSION|PROTOCOL/i))
  })
})

describe('a caller that gives up', () => {
  it('before the start sends nothing', async () => {
    const server = await listen(() => undefined)
    const { exchange } = await open().send(requestTo(server.url), AbortSignal.abort())
    expect(exchange).toMatchObject({
      kind: 'failure',
      detail: expect.stringContaining('Leadwire stopped') as string,
    })
    expect(server.accepted()).toBe(0)
  })

  it('in the middle frees the connection at once', async () => {
    const server = await listen(() => undefined)
    const stop = new AbortController()
    const sending = open().send(requestTo(server.url), stop.signal)
    await waitUntil(() => server.received() !== '')
    stop.abort()
    expect((await sending).exchange).toMatchObject({
      kind: 'failure',
      detail: expect.stringContaining('Leadwire stopped') as string,
    })
    await allClosed(server)
  })

  it('by closing the transport gets a result for what is in flight', async () => {
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
