import { describe, expect, it } from 'vitest'
import type { Speak } from '#tests/support/peers/raw-server.ts'
import { allClosed, answering, listen, LONG_MS, loopback, open, requestTo } from './open-transport.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const taken = { exchange: { kind: 'answer', status: 200, headers: { 'content-length': '2' } }, body: 'ok' }

/** Writes each part after the previous one was sent, so that they arrive separately. */
const inParts =
  (...parts: string[]): Speak =>
  (socket) => {
    const writeNext = (): void => {
      const part = parts.shift()
      if (part === undefined) socket.end()
      else socket.write(part, () => setTimeout(writeNext, 5))
    }
    writeNext()
  }

describe('an interim answer', () => {
  it.each<[string, string]>([
    ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['100 without a reason', 'HTTP/1.1 100\r\n\r\n'],
    ['100 with headers', 'HTTP/1.1 100 Continue\r\nserver: old\r\nconnection: close\r\n\r\n'],
    ['100 with a length', 'HTTP/1.1 100 Continue\r\ncontent-length: 0\r\n\r\n'],
    ['100 of HTTP/1.0', 'HTTP/1.0 100 Continue\r\n\r\n'],
    ['100 that ends its lines with line feeds', 'HTTP/1.1 100 Continue\n\n'],
    ['100 after an empty line', '\r\nHTTP/1.1 100 Continue\r\n\r\n'],
    ['102 Processing', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
    ['104 of a draft', 'HTTP/1.1 104 Upload Resumption Supported\r\nlocation: /x\r\n\r\n'],
    ['199', 'HTTP/1.1 199 Anything\r\n\r\n'],
    [
      'several of several kinds',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
    ],
  ])('%s is skipped', async (_what, interim) => {
    for (const speak of [answering(interim, OK), inParts(interim, OK), inParts(...interim.split(''), OK)]) {
      const server = await listen(speak)
      expect(await open().send(requestTo(server.url))).toMatchObject(taken)
      expect(server.accepted()).toBe(1)
    }
  })

  it('is skipped for each request of a kept connection', async () => {
    const server = await listen((socket, received) => {
      if (received.startsWith('POST')) socket.write(`HTTP/1.1 100 Continue\r\n\r\n${OK}`)
    })
    const transport = open(LONG_MS, loopback, 1)
    for (let request = 0; request < 3; request += 1) {
      expect(await transport.send(requestTo(server.url))).toMatchObject(taken)
    }
    expect(server.accepted()).toBe(1)
  })

  it('is not read from the body of an answer', async () => {
    const body = 'HTTP/1.1 100 Continue\r\n\r\n'
    const server = await listen(
      inParts(`HTTP/1.1 200 OK\r\ncontent-length: ${2 * body.length}\r\n\r\n`, body, body),
    )
    expect(await open().send(requestTo(server.url))).toMatchObject({ body: body + body })
  })

  it('is not recognised with a status of four digits', async () => {
    const server = await listen(answering('HTTP/1.1 1000 Odd\r\n\r\n', OK))
    expect(await open().send(requestTo(server.url))).toMatchObject({ exchange: { kind: 'failure' } })
  })

  it('without a final answer is not an answer', async () => {
    for (const interim of ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 100 Cont']) {
      const server = await listen(answering(interim))
      expect(await open().send(requestTo(server.url))).toMatchObject({
        exchange: {
          kind: 'failure',
          errorClass: 'reset',
          detail: expect.stringContaining('closed the connection without an answer') as string,
        },
      })
    }
  })

  it('may come a hundred times, but not more often', async () => {
    const some = await listen(answering('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100), OK))
    expect(await open().send(requestTo(some.url))).toMatchObject(taken)
    const many = await listen(answering('HTTP/1.1 102 Processing\r\n\r\n'.repeat(101), OK))
    expect(await open().send(requestTo(many.url))).toMatchObject({
      exchange: {
        kind: 'failure',
        errorClass: 'too_large',
        detail: expect.stringContaining('more than 100 interim answers') as string,
      },
      body: null,
    })
    await allClosed(many)
  })

  it('may not have larger headers than an answer', async () => {
    const server = await listen(answering(`HTTP/1.1 103 Hints\r\nlink: ${'a'.repeat(20_000)}\r\n\r\n${OK}`))
    expect(await open().send(requestTo(server.url))).toMatchObject({
      exchange: { kind: 'failure', errorClass: 'too_large' },
    })
  })
})
