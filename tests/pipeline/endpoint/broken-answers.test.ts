import { describe, expect, it } from 'vitest'
import { createTestAuthority } from '#scripts/chaos/certificate.ts'
import type { Speak } from '#tests/support/peers/raw-server.ts'
import { answering, listen, open, requestTo, SHORT_MS } from './open-transport.ts'

const failsOn = async (speak: Speak, timeoutMs?: number) => {
  const server = await listen(speak)
  const { exchange, body } = await open(timeoutMs).send(requestTo(server.url))
  return { exchange, body, detail: exchange.kind === 'failure' ? exchange.detail : '' }
}
const OK = 'HTTP/1.1 200 OK\r\n'

describe('an answer that is not HTTP/1.1 is named in the failure', () => {
  it.each<[string, string | Buffer, string, number | undefined]>([
    ['bare line feeds', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok', 'line feed alone', 200],
    ['one bare line feed', 'HTTP/1.1 201 OK\r\nx-a: b\ncontent-length: 2\r\n\r\nok', 'line feed alone', 201],
    ['two lengths', `${OK}content-length: 2\r\ncontent-length: 5\r\n\r\nhello`, 'two Content-Length', 200],
    [
      'the same length twice',
      `${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`,
      'two Content-Length',
      200,
    ],
    ['a list of lengths', `${OK}Content-Length: 2, 2\r\n\r\nok`, 'a Content-Length that is no number', 200],
    [
      'a length that is no number',
      `${OK}Content-Length: two\r\n\r\nok`,
      'a Content-Length that is no number',
      200,
    ],
    [
      'a length and chunks',
      `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      'both Content-Length and Transfer-Encoding',
      200,
    ],
    [
      'chunks and a length',
      `HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
      'both Content-Length and Transfer-Encoding',
      500,
    ],
    ['a NUL in a header', `${OK}x-nul: a\0b\r\ncontent-length: 0\r\n\r\n`, 'a character that no header', 200],
    ['a header without a colon', `${OK}this is no header\r\n\r\nok`, 'a line that is no header', 200],
    ['a space before a colon', `${OK}content-length : 2\r\n\r\nok`, 'a space before a colon', 200],
    [
      'a folded header',
      `${OK}x-a: b\r\n c\r\ncontent-length: 2\r\n\r\nok`,
      'a header over several lines',
      200,
    ],
    ['chunks without a size', `${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`, 'chunks', 200],
    ['a page without a status line', '<html><body>ok</body></html>', 'no status line', undefined],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', 'status line', undefined],
    ['a status of 000', 'HTTP/1.1 000 OK\r\ncontent-length: 0\r\n\r\n', 'status line', undefined],
    ['carriage returns alone', 'HTTP/1.1 200 OK\rcontent-length: 2\r\rok', 'a carriage return alone', 200],
    [
      'a length of 23 digits',
      `${OK}content-length: ${'9'.repeat(23)}\r\n\r\nok`,
      'longer than any answer',
      200,
    ],
    [
      'a switch to an unnamed protocol',
      'HTTP/1.1 101 Switching Protocols\r\n\r\n',
      'changes to another protocol',
      101,
    ],
    [
      'a switch to a named protocol',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n',
      'changes to another protocol',
      101,
    ],
    ['the version HTTP/2 in plain text', 'HTTP/2 200\r\ncontent-length: 2\r\n\r\nok', 'HTTP/1.1', 200],
    ['frames of HTTP/2', Buffer.from('000006040000000000000400100000', 'hex'), 'only HTTP/2', undefined],
    ['an alert of TLS', Buffer.from('15030100020246', 'hex'), 'speaks TLS on this port', undefined],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2p1\r\n', 'not HTTP', undefined],
  ])('%s', async (_what, bytes, words, status) => {
    const { exchange, detail } = await failsOn(answering(bytes))
    expect(detail).toContain(words)
    expect(detail).not.toContain('closed the connection')
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'reset' })
    expect(exchange.kind === 'failure' ? exchange.begun?.status : undefined).toBe(status)
  })
})

describe('an answer that breaks off', () => {
  it.each<[string, Speak]>([
    ['before its announced length', answering(`${OK}content-length: 100\r\nx-id: 7\r\n\r\nhalf`)],
    [
      'between chunks, with Connection: close',
      answering(`${OK}connection: close\r\nx-id: 7\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n`),
    ],
    ['between chunks', answering(`${OK}x-id: 7\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n`)],
    [
      'by a reset',
      (socket) =>
        socket.write(`${OK}content-length: 100\r\nx-id: 7\r\n\r\nhalf`, () => {
          setTimeout(() => socket.resetAndDestroy(), 50)
        }),
    ],
    ['by the time limit', (socket) => socket.write(`${OK}content-length: 100\r\nx-id: 7\r\n\r\nhalf`)],
  ])('%s keeps its status, its headers and the received part of its body', async (_how, speak) => {
    const { exchange, body, detail } = await failsOn(speak, SHORT_MS)
    expect(exchange).toMatchObject({ kind: 'failure', begun: { status: 200, headers: { 'x-id': '7' } } })
    expect(detail).toMatch(/closed the connection before the end of its answer|did not finish its answer/)
    expect(body).toBe('half')
  })

  it('before its headers ended keeps its status', async () => {
    const { exchange } = await failsOn(answering('HTTP/1.1 503 Busy\r\nx-half: '))
    expect(exchange).toMatchObject({ kind: 'failure', errorClass: 'reset', begun: { status: 503 } })
  })
})

describe('a handshake', () => {
  const authority = createTestAuthority('Leadwire test')
  const send = async (tls: Parameters<typeof listen>[1], speak: Speak = answering(`${OK}\r\n`)) => {
    const server = await listen(speak, tls)
    const access = {
      authentication: { type: 'none' as const },
      certificates: { authority: authority.cert, certificate: null, key: null },
      keptAs: null,
    }
    const url = server.url.replace('127.0.0.1', 'localhost')
    const { exchange } = await open().send(requestTo(url), { access })
    return exchange
  }
  const localhost = authority.issue(['localhost'])

  it('with a server that speaks only HTTP/2 says so', async () => {
    expect(await send({ tls: { ...localhost, ALPNProtocols: ['h2'] } })).toMatchObject({
      errorClass: 'tls',
      detail: expect.stringContaining('only HTTP/2') as string,
    })
  })

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'with a server that demands a client certificate says so (%s)',
    async (version) => {
      const tls = { ...localhost, requestCert: true, rejectUnauthorized: true, maxVersion: version }
      expect(await send({ tls })).toMatchObject({
        errorClass: 'tls',
        detail: expect.stringContaining('client certificate') as string,
      })
    },
  )

  it('with a server that asks for a client certificate and gets none still ends in an answer', async () => {
    const tls = { ...localhost, requestCert: true, rejectUnauthorized: false }
    expect(await send({ tls })).toMatchObject({ kind: 'answer', status: 200 })
  })

  it('with a server that speaks plain HTTP says so', async () => {
    const server = await listen(answering(`HTTP/1.1 400 Bad\r\n\r\n`))
    const { exchange } = await open().send(requestTo(server.url.replace('http:', 'https:')))
    expect(exchange).toMatchObject({
      errorClass: 'tls',
      detail: expect.stringContaining('does not speak TLS on this port') as string,
    })
  })

  it('with a server that demands no client certificate is not blamed for later failures', async () => {
    const exchange = await send({ tls: localhost }, (socket) => socket.destroy())
    expect(exchange).toMatchObject({ errorClass: 'reset' })
  })
})
