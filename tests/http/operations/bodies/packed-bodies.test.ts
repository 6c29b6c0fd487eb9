import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { createConnection } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MEMORY } from '#server/admission/limits.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { headOf } from '../../support/speak-http.ts'
import { newLead, startApp, type TestApp, type TestSource } from '../../support/start-app.ts'

let app: TestApp
let source: TestSource
beforeAll(async () => {
  app = await startApp()
  source = await app.newSource()
})
afterAll(() => app.close())

const post = (body: Uint8Array, coding: string) =>
  app.call('POST', '/api/v1/leads', { token: source.key, body, headers: { 'content-encoding': coding } })

test.each([
  ['gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['identity', (body: Buffer) => body],
])('a lead compressed with %s is accepted', async (coding, pack) => {
  expect((await post(pack(Buffer.from(JSON.stringify(newLead()))), coding)).status).toBe(201)
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('a body of %s that decompresses to more than the limit is too large', async (coding, pack) => {
  const { status, json } = await post(pack(Buffer.alloc(50 * 1024 * 1024, ' ')), coding)

  expect({ status, code: json.code }).toEqual({ status: 413, code: 'body_too_large' })
})

test('a compressed body that breaks off is refused as unreadable', async () => {
  const packed = gzipSync(JSON.stringify(newLead()))
  const { status, json } = await post(packed.subarray(0, -9), 'gzip')

  expect({ status, code: json.code }).toEqual({ status: 400, code: 'malformed_body' })
})

test('compressed bodies of one caller are decompressed one by one, and other callers wait for the first at most', async () => {
  const other = await app.newSource()
  const large = gzipSync(Buffer.alloc(5 * 1024 * 1024, ' '))
  const order: string[] = []
  const batch = async ({ key }: TestSource, name: string) => {
    await app.call('POST', '/api/v1/leads/batch', {
      token: key,
      body: large,
      headers: { 'content-encoding': 'gzip' },
    })
    order.push(name)
  }
  const many = Array.from({ length: 20 }, () => batch(source, 'many'))
  await Promise.race(many)
  const one = batch(other, 'one')
  await Promise.all([...many, one])
  expect(order.indexOf('one')).toBeLessThan(10)
})

test('bodies whose senders hang up during decompression are no longer counted', async () => {
  const limit = 5 * 1024 * 1024
  const packed = gzipSync(Buffer.alloc(limit, ' '))
  const packing = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const head = headOf('POST /api/v1/leads/batch', {
    Authorization: `Bearer ${source.key}`,
    ...packing,
    'Content-Length': packed.length,
  })
  const lines = Array.from({ length: (2 * MEMORY.ofCaller) / limit }, () =>
    createConnection(Number(new URL(app.url).port)),
  )
  for (const line of lines) {
    line.on('error', () => line.destroy())
    line.write(head)
    line.write(packed)
  }
  const portOf = (line: (typeof lines)[number]) => line.localPort ?? 0
  const taken = head.length + packed.length
  await waitUntil(() => lines.every((line) => app.bytesTaken(portOf(line)) === taken), { what: 'the bodies' })
  for (const line of lines) line.destroy()

  // It waits in the queue behind the others.
  const { status } = await app.call('POST', '/api/v1/leads/batch', {
    token: source.key,
    body: packed,
    headers: packing,
  })
  expect(status).toBe(422)
})
