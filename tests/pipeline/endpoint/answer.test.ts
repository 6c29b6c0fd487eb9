import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { KEPT_BODY_BYTES } from '#core/endpoint/exchange-once.ts'
import { allClosed, answering, listen, LONG_MS, loopback, open, requestTo } from './open-transport.ts'

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

  it('of 204 counts, even if a body follows', async () => {
    const server = await listen(answering('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello'))
    const { exchange, body } = await open().send(requestTo(server.url))
    expect(exchange).toMatchObject({ kind: 'answer', status: 204 })
    expect(body).toBe('')
    await allClosed(server)
  })

  it('is awaited after early hints', async () => {
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

  it('that is longer than its length is cut there', async () => {
    const server = await listen(answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok and more'))
    const { exchange, body } = await open().send(requestTo(server.url))
    expect(exchange).toMatchObject({ kind: 'answer', status: 200 })
    expect(body).toBe('ok')
    await allClosed(server)
  })

  it.each(['0 ', '2 ', ' 2  '])('with spaces around its length (%j) is complete', async (length) => {
    const text = 'ok'.slice(0, Number(length))
    const server = await listen(answering(`HTTP/1.1 200 OK\r\ncontent-length:${length}\r\n\r\n${text}`))
    const { exchange, body } = await open().send(requestTo(server.url))
    expect({ kind: exchange.kind, body }).toEqual({ kind: 'answer', body: text })
    const cut = await listen(answering(`HTTP/1.1 200 OK\r\ncontent-length:1${length}\r\n\r\n${text}`))
    expect(await open().send(requestTo(cut.url))).toMatchObject({ exchange: { kind: 'failure' } })
  })

  it('keeps as much text as possible of NUL bytes and invalid UTF-8', async () => {
    const bytes = Buffer.from([0x61, 0x00, 0xff, 0xc3, 0x28, 0xe2, 0x82])
    const server = await listen(answering('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n', bytes))
    expect((await open().send(requestTo(server.url))).body).toBe('a\ufffd\ufffd(\ufffd')
  })

  it('that begins with a byte order mark is read without it', async () => {
    const text = '{"ok":true,"note":"\ufeff"}'
    const server = await listen(answering(`HTTP/1.1 200 OK\r\n\r\n\ufeff${text}`))
    const { body, bodyTruncated } = await open().send(requestTo(server.url))
    expect({ body, bodyTruncated }).toEqual({ body: text, bodyTruncated: false })
  })

  it('is kept up to 16 KiB, and never cut within a character', async () => {
    const text = `${'a'.repeat(KEPT_BODY_BYTES - 2)}😀${'b'.repeat(20_000)}`
    const size = Buffer.byteLength(text)
    const server = await listen((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n${text}`)
    })
    const transport = open(LONG_MS, loopback, 1)
    const { body, bodyTruncated } = await transport.send(requestTo(server.url))
    expect({ body, bodyTruncated }).toEqual({ body: 'a'.repeat(KEPT_BODY_BYTES - 2), bodyTruncated: true })
    // The rest was read and dropped, so the connection is still usable.
    await transport.send(requestTo(server.url))
    expect(server.accepted()).toBe(1)
  })

  it('of exactly 16 KiB is complete', async () => {
    const text = 'a'.repeat(KEPT_BODY_BYTES)
    const server = await listen(answering(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`))
    expect(await open().send(requestTo(server.url))).toMatchObject({ body: text, bodyTruncated: false })
  })

  it('that is a gzip bomb, although identity was asked for, is decompressed only as far as it is kept', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
    const server = await listen(
      answering(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`, bomb),
    )
    const { exchange, body, bodyTruncated } = await open().send(requestTo(server.url))
    expect(server.received()).toContain('accept-encoding: identity')
    expect(exchange).toMatchObject({ kind: 'answer', status: 200 })
    expect({ bodyTruncated, length: body?.length }).toEqual({ bodyTruncated: true, length: 0 })
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
