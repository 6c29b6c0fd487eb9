import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KEPT_BODY_BYTES } from '#core/endpoint/exchange-once.ts'
import { createTestAuthority, selfSigned } from '#scripts/chaos/certificate.ts'
import type { Speak } from '#tests/support/peers/raw-server.ts'
import { startSenderProcess, type SenderProcess } from '#tests/support/processes/sender-process.ts'
import { answering, drip, listen } from './open-transport.ts'

let sender: SenderProcess
beforeAll(async () => {
  sender = await startSenderProcess()
})
afterAll(() => sender.close())

/** Time limits for endpoints that use theirs up, and for all others. */
const SHORT_MS = 500
const LONG_MS = 10_000
/** Tolerance for a busy machine. */
const SLACK_MS = 6000
const MEMORY_MB = 20

const ok = 'HTTP/1.1 200 OK\r\n'
const large = Buffer.alloc(64 * 1024, 'x')
/** Writes until the other side hangs up, or 200 MB. */
const pour =
  (head: string, piece = large): Speak =>
  (socket) => {
    socket.write(head)
    let left = 200 * 1024 * 1024
    const more = (): void => {
      if (socket.destroyed || left <= 0) return
      left -= piece.length
      socket.write(piece, more)
    }
    more()
  }
const hints = Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(2000))
/** One byte of the body with the longest extension that a chunk's size line may have (RFC 9112 §7.1.1). */
const extended = Buffer.from(`1;note=${'x'.repeat(64 * 1024)}\r\na\r\n`)
const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
const gzipped = (times: number): Buffer => {
  let bytes: Buffer = Buffer.alloc(50 * 1024 * 1024)
  for (let round = 0; round < times; round += 1) bytes = gzipSync(bytes)
  return bytes
}
const slowly =
  (head: string, rest: string): Speak =>
  (socket) => {
    socket.write(head)
    drip(socket, rest)
  }
const resetAfter =
  (bytes: string): Speak =>
  (socket: Socket) => {
    socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 20))
  }

describe('an endpoint that', () => {
  it.each<[string, string, Speak]>([
    ['never answers', 'timeout', () => undefined],
    ['drips its headers', 'timeout', slowly(ok, 'x-slow: 1\r\n')],
    ['drips its body', 'timeout', slowly(`${ok}content-length: 100000\r\n\r\n`, 'x')],
    ['drips its body in chunks', 'timeout', slowly(`${ok}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n')],
    ['answers 200 MB', '200', pour(`${ok}content-length: ${200 * 1024 * 1024}\r\n\r\n`)],
    ['answers without an end', '200', pour(`${ok}\r\n`)],
    [
      'answers a gzip bomb',
      '200',
      answering(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`, bomb),
    ],
    [
      'answers a bomb in three wrappings',
      '200',
      answering(`${ok}content-encoding: gzip, gzip, gzip\r\nconnection: close\r\n\r\n`, gzipped(3)),
    ],
    ['sends 20 KB of headers', 'too_large', answering(`${ok}x-large: ${'a'.repeat(20_000)}\r\n\r\n`)],
    ['sends headers without an end', 'too_large', pour(`${ok}x-large: `)],
    ['sends early hints without an end', 'too_large', pour('', hints)],
    ['sends line breaks without an end', 'too_large', pour('', Buffer.alloc(large.length, '\r\n'))],
    ['extends each of its chunks', '200', pour(`${ok}transfer-encoding: chunked\r\n\r\n`, extended)],
    ['extends one chunk without an end', '200', pour(`${ok}transfer-encoding: chunked\r\n\r\n1;`)],
    [
      'sends NUL and bytes that are no UTF-8',
      '200',
      answering(`${ok}content-length: 6\r\n\r\n`, Buffer.from([0, 0xff, 0xc3, 0x28, 0xe2, 0x82])),
    ],
    ['sends a NUL in a header', 'reset', answering(`${ok}x-nul: a\0b\r\ncontent-length: 0\r\n\r\n`)],
    [
      'answers 204 with a body',
      '204',
      answering('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello'),
    ],
    ['sends less than it says', 'reset', answering(`${ok}content-length: 100\r\n\r\nhalf`)],
    ['sends more than it says', '200', answering(`${ok}content-length: 2\r\n\r\nok and more`)],
    ['resets after its headers', 'reset', resetAfter(`${ok}content-length: 100\r\n\r\n`)],
    ['resets at once', 'reset', (socket) => socket.resetAndDestroy()],
    ['speaks another protocol', 'reset', answering('SSH-2.0-OpenSSH_9.2p1\r\n')],
  ])(
    '%s fails or ends only its own attempt (%s), in time and in flat memory',
    async (_what, outcome, speak) => {
      const server = await listen(speak)
      const timeoutMs = outcome === 'timeout' ? SHORT_MS : LONG_MS
      const report = await sender.send({ url: server.url, times: 20, timeoutMs })

      expect(report.outcomes).toEqual([outcome])
      // Only endpoints that use up the limit come near it.
      expect(report.longestMs).toBeLessThan(SHORT_MS + SLACK_MS)
      expect(report.longestBody).toBeLessThanOrEqual(KEPT_BODY_BYTES)
      expect(report.peakRssGrowthMb).toBeLessThan(MEMORY_MB)
    },
  )

  it('answers before it has read the lead is believed, and the rest of the lead is not sent', async () => {
    const server = await listen((socket, received) => {
      if (!received.startsWith('POST')) return
      socket.pause()
      socket.write(`${ok}content-length: 2\r\nconnection: close\r\n\r\nok`)
    })
    const job = { url: server.url, times: 5, timeoutMs: 5000, payloadSize: 8 * 1024 * 1024 }
    const report = await sender.send(job)

    expect(report.outcomes).toEqual(['200'])
    expect(report.longestMs).toBeLessThan(job.timeoutMs + SLACK_MS)
    expect(server.received().length).toBeLessThan(job.payloadSize)
  })
})

describe('Retry-After', () => {
  const MONTH_SECONDS = 30 * 24 * 3600
  it.each<[string, number | null]>([
    ['0', 0],
    ['1000000000', 1e9],
    ['a month from now', MONTH_SECONDS],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['1e9', null],
  ])('of %s is read from the answer', async (given, seconds) => {
    const inAMonth = (): string => new Date(Date.now() + MONTH_SECONDS * 1000).toUTCString()
    const value = given === 'a month from now' ? inAMonth() : given
    const server = await listen(
      answering(`HTTP/1.1 503 Busy\r\nretry-after: ${value}\r\ncontent-length: 0\r\n\r\n`),
    )
    const report = await sender.send({ url: server.url, times: 1, timeoutMs: LONG_MS })

    expect(report.outcomes).toEqual(['503'])
    if (seconds === null) expect(report.longestWaitSeconds).toBeNull()
    else expect(Math.abs((report.longestWaitSeconds ?? -1) - seconds)).toBeLessThan(60)
  })
})

describe('a certificate', () => {
  const authority = createTestAuthority('Unknown authority')
  const past = { from: new Date('2024-01-01'), until: new Date('2025-01-01') }
  const answerOk = answering(`${ok}content-length: 2\r\n\r\nok`)

  it.each([
    ['self-signed', () => selfSigned('localhost')],
    ['expired', () => authority.issue(['localhost'], past)],
    ['for another name', () => authority.issue(['crm.example.com'])],
  ])('that is %s is refused every time', async (_what, make) => {
    const server = await listen(answerOk, { tls: make() })
    const url = server.url.replace('127.0.0.1', 'localhost')
    const report = await sender.send({ url, times: 20, timeoutMs: 5000 })

    expect(report.outcomes).toEqual(['tls'])
    expect(server.received()).toBe('')
  })

  // CVE-2025-47279: a sender that leaks memory with each bad certificate can be brought down by one endpoint.
  it('that is bad a thousand times in a row leaks no memory', async () => {
    const server = await listen(answerOk, { tls: selfSigned('localhost') })
    const url = server.url.replace('127.0.0.1', 'localhost')
    await sender.send({ url, times: 200, timeoutMs: 10_000 })
    const report = await sender.send({ url, times: 1000, timeoutMs: 10_000 })

    expect(report.outcomes).toEqual(['tls'])
    expect(report.heapGrowthMb).toBeLessThan(3)
    expect(report.peakRssGrowthMb).toBeLessThan(2 * MEMORY_MB)
  })
})
