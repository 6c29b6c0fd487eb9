import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startRawServer, type Speak } from '#tests/support/peers/raw-server.ts'
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
  ])('that %s before the answer counts as reset', async (_what, speak) => {
    expect(await failsOn(speak)).toMatchObject({
      exchange: {
        errorClass: 'reset',
        detail: expect.stringContaining('Your endpoint closed the connection without an answer.') as string,
      },
      body: null,
    })
  })

  it('comes from the bound address alone, and is not made to an address of the other family', async () => {
    const from: (string | undefined)[] = []
    const speak: Speak = (socket, ...rest) => {
      from.push(socket.remoteAddress)
      answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')(socket, ...rest)
    }
    const server = await listen(speak)
    const transport = open(LONG_MS, loopback, 4, '127.0.0.9')
    const { port } = new URL(server.url)
    for (const host of ['127.0.0.1', 'localhost'])
      expect(await transport.send(requestTo(`http://${host}:${port}/`))).toMatchObject({
        exchange: { kind: 'answer', status: 200 },
      })
    expect(from).toEqual(['127.0.0.9', '127.0.0.9'])
    expect(await transport.send(requestTo(`http://[::1]:${port}/`))).toMatchObject({
      exchange: { kind: 'failure' },
    })
    expect(from).toHaveLength(2)
  })

  it('that is reset as soon as it is open counts as reset, not as a blocked address', async () => {
    const server = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closeLater(async () => {
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
      'reset in the middle of the headers',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-half: ', () => {
          setTimeout(() => socket.resetAndDestroy(), 50)
        })
      },
    ],
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
  ])('that is %s before the end of the answer counts as reset', async (_what, speak) => {
    expect(await failsOn(speak)).toMatchObject({
      exchange: {
        errorClass: 'reset',
        detail: expect.stringContaining(
          'Your endpoint closed the connection before the end of its answer.',
        ) as string,
      },
    })
  })

  it('that switches to another protocol unasked says so', async () => {
    const answer = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'
    expect(await failsOn(answering(answer))).toMatchObject({
      exchange: {
        kind: 'failure',
        errorClass: 'reset',
        detail: expect.stringContaining('changes to another protocol') as string,
      },
    })
  })

  it.each([
    ['one header of 20 KB', `x-large: ${'a'.repeat(20_000)}\r\n`],
    ['a thousand small headers', 'x-many: aaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(1000)],
  ])('that carries %s fails as too large', async (_what, headers) => {
    expect(await failsOn(answering(`HTTP/1.1 200 OK\r\n${headers}content-length: 0\r\n\r\n`))).toMatchObject({
      exchange: { errorClass: 'too_large' },
    })
  })

  it('to a port where nothing listens is refused', async () => {
    const server = await startRawServer(() => undefined)
    await server.close()
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await open().send(requestTo(`http://${host}:${server.port}/`))).toMatchObject({
        exchange: { kind: 'failure', errorClass: 'connect' },
        // Nothing was sent.
        remoteAddress: null,
      })
    }
  })

  it.each<[string, (socket: Socket) => unknown]>([
    ['closes', (socket) => socket.end()],
    ['resets', (socket) => socket.resetAndDestroy()],
    ['a moment later resets', (socket) => setTimeout(() => socket.resetAndDestroy(), 2)],
  ])('that the endpoint %s after each answer without notice never loses a request', async (_how, leave) => {
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
  })

  it('that is new and breaks is not tried again', async () => {
    const server = await listen((socket) => socket.resetAndDestroy())
    const { exchange } = await open().send(requestTo(server.url))
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'reset' })
    expect(server.accepted()).toBe(1)
  })

  it('that has worked once and then breaks is replaced by a new one, once', async () => {
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

  it('that has worked once and then breaks is reported with its address, if a new one is refused', async () => {
    let posts = 0
    const server = await listen((socket) => {
      posts += 1
      if (posts === 1) {
        socket.write('HTTP/1.1 204 No Content\r\n\r\n')
        return
      }
      void server.close()
      socket.resetAndDestroy()
    })
    const transport = open(LONG_MS, loopback, 1)
    await transport.send(requestTo(server.url))
    const { exchange, remoteAddress } = await transport.send(requestTo(server.url))
    expect({ exchange, posts }).toMatchObject({
      exchange: { kind: 'failure', errorClass: 'connect' },
      posts: 2,
    })
    expect(remoteAddress).toBe('127.0.0.1')
  })
})
