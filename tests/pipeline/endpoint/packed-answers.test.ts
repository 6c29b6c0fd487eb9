import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { OAuth2Client } from '#core/contract/webhooks/authentication.ts'
import { KEPT_BODY_BYTES } from '#core/endpoint/exchange-once.ts'
import { readBody } from '#core/endpoint/read-body.ts'
import { allClosed, answering, listen, open, requestTo } from './open-transport.ts'

const TEXT = '{"success":true,"data":{"lead_id":"L-7","note":"José ✓"}}'
const plain = Buffer.from(TEXT)
/** Bytes that are neither text nor any compressed format. */
const BINARY = Buffer.alloc(200, 0xff)
const head = (headers: string, bytes: Buffer): string =>
  `HTTP/1.1 200 OK\r\n${headers}\r\ncontent-length: ${bytes.length}\r\n\r\n`

const sendTo = async (headers: string, bytes: Buffer) => {
  const server = await listen(answering(head(headers, bytes), bytes))
  return await open().send(requestTo(server.url))
}

describe('a compressed answer', () => {
  it.each<[string, Buffer]>([
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstdCompressSync(plain)],
    ['gzip, br', brotliCompressSync(gzipSync(plain))],
    ['identity, gzip', gzipSync(plain)],
    ['identity', plain],
    ['', plain],
    ['gzip;q=1', gzipSync(plain)],
    ['"gzip"', gzipSync(plain)],
    ['gzip,', gzipSync(plain)],
    ['deflate', gzipSync(plain)],
    ['gzip', deflateSync(plain)],
    // A proxy that decompresses answers may leave the header.
    ['gzip', plain],
    ['br', plain],
    // Not a content encoding.
    ['utf-8', plain],
    ['none', plain],
    ['aws-chunked', plain],
    ['gzip', Buffer.concat([gzipSync(plain.subarray(0, 20)), gzipSync(plain.subarray(20))])],
  ])('with the encoding "%s" is decompressed', async (coding, bytes) => {
    const { exchange, body, bodyTruncated, bodyNote } = await sendTo(`content-encoding: ${coding}`, bytes)
    expect({ kind: exchange.kind, body, bodyTruncated, bodyNote }).toEqual({
      kind: 'answer',
      body: TEXT,
      bodyTruncated: false,
      bodyNote: undefined,
    })
  })

  it('in chunks of one byte each is decompressed', async () => {
    const chunks = [...gzipSync(plain)].map((byte) =>
      Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]),
    )
    const server = await listen(
      answering(
        'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n',
        ...chunks,
        '0\r\n\r\n',
      ),
    )
    expect((await open().send(requestTo(server.url))).body).toBe(TEXT)
  })

  it.each(['gzip', 'deflate', 'br', 'zstd', 'br, gzip'])(
    'that claims to be compressed by %s, but is short plain text, is read',
    async (coding) => {
      for (const text of ['{"success":true}', '{"id":1}', 'Success', 'received', '[]', '1']) {
        const read = await readBody(Buffer.from(text), { 'content-encoding': coding }, KEPT_BODY_BYTES, false)
        expect(read).toEqual({ body: text, bodyTruncated: false })
      }
    },
  )

  it.each<[string, string, Buffer, string]>([
    ['an unknown encoding', 'compress', BINARY, 'its body is packed as "compress"'],
    [
      'three encodings',
      'gzip, gzip, gzip',
      gzipSync(gzipSync(gzipSync(plain))),
      'its body is packed as "gzip, gzip, gzip"',
    ],
    [
      'another encoding than its header says',
      'gzip',
      BINARY,
      'its body is said to be packed as "gzip", and could not be unpacked',
    ],
    ['bytes after its end', 'gzip', Buffer.concat([gzipSync(plain), BINARY]), 'and could not be unpacked'],
    [
      'a wrong claim of brotli',
      'br',
      BINARY,
      'its body is said to be packed as "br", and could not be unpacked',
    ],
    ['an invalid encoding name', '<b>\u00e9', BINARY, 'its body is packed in an unknown way'],
    [
      'a window of 128 MB',
      'zstd',
      zstdCompressSync(Buffer.alloc(20_000_000, 'ab'), {
        params: { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_contentSizeFlag]: 0 },
      }),
      'its body is said to be packed as "zstd", and could not be unpacked',
    ],
  ])('with %s has no text, and the log says so', async (_what, coding, bytes, note) => {
    const { exchange, body, bodyNote } = await sendTo(`content-encoding: ${coding}`, bytes)
    expect(exchange).toMatchObject({ kind: 'answer', status: 200 })
    expect(body).toBe('')
    expect(bodyNote).toContain(note)
  })

  it('by gzip without a header is decompressed', async () => {
    expect(await sendTo('content-type: application/json', gzipSync(plain))).toMatchObject({ body: TEXT })
    for (const named of [{ 'transfer-encoding': 'chunked' }, { 'content-encoding': 'identity' }]) {
      expect(await readBody(gzipSync(plain), named, KEPT_BODY_BYTES, false)).toMatchObject({ body: TEXT })
    }
    expect(await sendTo('x-a: b', Buffer.concat([Buffer.from([0x1f, 0x8b]), BINARY]))).toMatchObject({
      body: '',
      bodyNote: 'its body is said to be packed as "gzip", and could not be unpacked',
    })
  })

  it('that is compressed for its transfer is decompressed', async () => {
    const server = await listen(
      answering('HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n', gzipSync(plain)),
    )
    expect((await open().send(requestTo(server.url))).body).toBe(TEXT)
  })

  it('that breaks off is decompressed as far as it came', async () => {
    const text = Array.from({ length: 3000 }, (_, at) => `${at * 7919}`).join(' ')
    const bytes = gzipSync(Buffer.from(text))
    const server = await listen(
      answering(head('content-encoding: gzip', bytes), bytes.subarray(0, bytes.length / 2)),
    )
    const { exchange, body } = await open().send(requestTo(server.url))
    expect(exchange).toMatchObject({ kind: 'failure', begun: { status: 200 } })
    expect(body?.length).toBeGreaterThan(100)
    expect(text.startsWith(body ?? '')).toBe(true)
  })

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['gzip, br', (bytes) => brotliCompressSync(gzipSync(bytes))],
  ])('by %s of 50 MB is decompressed up to 16 KiB, in flat memory', async (coding, pack) => {
    const bytes = pack(Buffer.alloc(50 * 1024 * 1024, 'x'))
    const server = await listen(answering(head(`content-encoding: ${coding}`, bytes), bytes))
    const before = process.memoryUsage().rss
    const results = await Promise.all(Array.from({ length: 20 }, () => open().send(requestTo(server.url))))
    for (const { body, bodyTruncated } of results) {
      expect({ length: body?.length, bodyTruncated }).toEqual({
        length: KEPT_BODY_BYTES,
        bodyTruncated: true,
      })
    }
    await allClosed(server)
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * 1024 * 1024)
  })

  it('of 204, which has no body, has no text', async () => {
    const server = await listen(answering('HTTP/1.1 204 No Content\r\ncontent-encoding: gzip\r\n\r\n'))
    expect(await open().send(requestTo(server.url))).toMatchObject({ body: '', exchange: { status: 204 } })
  })
})

describe('the text of an answer', () => {
  const latin1 = Buffer.from('José', 'latin1')
  it.each<[string, Buffer, string]>([
    ['text/plain; charset=iso-8859-1', latin1, 'José'],
    ['text/plain;charset="ISO-8859-1"', latin1, 'José'],
    ['text/html; Charset=windows-1252', Buffer.from([0x80, 0x20, 0x93]), '€ “'],
    ['application/json; charset=utf-16le', Buffer.from('{"a":"é"}', 'utf16le'), '{"a":"é"}'],
    ['text/plain; charset=shift_jis', Buffer.from('93fa967b', 'hex'), '日本'],
    ['text/plain', Buffer.from('fffe4100e900', 'hex'), 'Aé'],
    ['text/plain; charset=utf-16', Buffer.from('feff00e9', 'hex'), 'é'],
    ['text/plain; charset=utf-8', Buffer.from('fffe4100', 'hex'), 'A'],
    ['text/plain; charset=latin-1', latin1, 'José'],
    // Two Content-Type headers are joined by a comma.
    ['text/plain; charset=iso-8859-1, text/plain; charset=iso-8859-1', latin1, 'José'],
    ["text/plain; charset='iso-8859-1'", latin1, 'José'],
    ['text/plain, charset=iso-8859-1', latin1, 'José'],
    ['text/plain charset=iso-8859-1', latin1, 'José'],
    ['text/plain; charset=', Buffer.from('José'), 'José'],
    ['application/json', Buffer.from('José'), 'José'],
    ['text/plain; charset=utf8mb4', Buffer.from('José'), 'José'],
    ['text/plain; charset=utf-8', Buffer.from('\ufeffJosé'), 'José'],
    ['application/json; charset=iso-8859-1', Buffer.from('\ufeff{"a":"José"}'), '{"a":"José"}'],
    ['text/plain; format=flowed; charset=us-ascii', Buffer.from('plain'), 'plain'],
  ])('of %s is read by its charset', async (type, bytes, text) => {
    const { body, bodyNote } = await sendTo(`content-type: ${type}`, bytes)
    expect({ body, bodyNote }).toEqual({ body: text, bodyNote: undefined })
  })

  it('of an unknown charset is read as UTF-8, and the log says so', async () => {
    const { body, bodyNote } = await sendTo('content-type: text/plain; charset=ebcdic', latin1)
    expect(body).toBe('Jos\ufffd')
    expect(bodyNote).toBe('its charset "ebcdic" is not known, so it was read as UTF-8')
  })

  it('is decompressed before its charset is read', async () => {
    const packed = await sendTo(
      'content-type: text/plain; charset=latin1\r\ncontent-encoding: gzip',
      gzipSync(latin1),
    )
    expect(packed.body).toBe('José')
  })
})

describe('a token answer', () => {
  const client = (token_url: string): OAuth2Client => ({
    type: 'oauth2',
    token_url,
    client_id: 'leadwire',
    client_secret: 'client-secret',
    scope: '',
    credentials_in: 'header',
  })
  const sendWith = async (headers: string, bytes: Buffer) => {
    const tokens = await listen(answering(head(headers, bytes), bytes))
    const crm = await listen(answering('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    const access = { authentication: client(tokens.url), certificates: null, keptAs: null }
    const { exchange } = await open().send(requestTo(crm.url), { access })
    return { exchange, received: crm.received() }
  }
  const grant = Buffer.from('{"access_token":"token-of-the-answer","expires_in":60}')

  it.each([
    ['content-encoding: gzip', gzipSync(grant)],
    ['content-encoding: br', brotliCompressSync(grant)],
    ['content-type: application/json; charset=utf-16le', Buffer.from(grant.toString(), 'utf16le')],
  ])('with %s is read', async (headers, bytes) => {
    const { exchange, received } = await sendWith(headers, bytes)
    expect(exchange).toMatchObject({ kind: 'answer', status: 200 })
    expect(received).toContain('authorization: Bearer token-of-the-answer')
  })

  it('that cannot be decompressed says so', async () => {
    const { exchange } = await sendWith('content-encoding: compress', BINARY)
    expect(exchange).toMatchObject({
      errorClass: 'authentication',
      detail:
        'The token address answered 200 but gave no access token: its body is packed as "compress", which is not unpacked.',
    })
  })
})
