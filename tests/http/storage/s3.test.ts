import { randomBytes, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { removeFreedBytes } from '#core/use-cases/files/remove-freed-bytes.ts'
import { startS3Server, type S3Server } from '#tests/support/peers/s3-server.ts'
import { startApp, type CallResult, type Person, type TestApp } from '../support/start-app.ts'
import { PNG } from './pictures.ts'

/** Its path is the last word. */
const SCAN = [
  '/bin/sh',
  '-c',
  'if grep -q EICAR "$0"; then exit 1; fi; if grep -q STUCK "$0"; then exit 3; fi',
]
const AWAY = { status: 503, code: 'SlowDown' }

let s3: S3Server
let app: TestApp
let owner: Person
beforeAll(async () => {
  s3 = await startS3Server()
  const { endpoint, bucket, region, keyId, secret } = s3.settings
  app = await startApp({
    FILES_S3_ENDPOINT: endpoint,
    FILES_S3_BUCKET: bucket,
    FILES_S3_REGION: region,
    FILES_S3_KEY_ID: keyId,
    FILES_S3_SECRET: secret,
    FILES_SCAN_COMMAND: JSON.stringify(SCAN),
  })
  owner = await app.newApprovedClient()
})
afterAll(async () => {
  await app.close()
  await s3.close()
})

let name: string
let bytes: Buffer
beforeEach(() => {
  name = `${owner.id}/${randomUUID()}.png`
  bytes = Buffer.concat([PNG, randomBytes(100_000)])
})
afterEach(() => s3.failAlways(undefined))

const put = (body: Uint8Array = bytes, at: TestApp = app, by: Person = owner): Promise<CallResult> =>
  at.call('POST', `/storage/v1/object/evidence/${name}`, {
    token: by.token,
    body,
    headers: { 'content-type': 'image/png' },
  })
const get = (headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${app.url}/storage/v1/object/evidence/${name}`, {
    headers: { authorization: `Bearer ${owner.token}`, ...headers },
  })
const unfinished = () => readdir(path.join(app.context.config.files.folder, 'unfinished'))
const countRows = async (): Promise<number> =>
  (await sql`select from stored_files where name = ${name}`.execute(app.context.db)).rows.length
const resumable = async (method: string, url: string, headers: Record<string, string>, body?: Uint8Array) => {
  const response = await fetch(new URL(url, app.url), {
    method,
    headers: { authorization: `Bearer ${owner.token}`, 'tus-resumable': '1.0.0', ...headers },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('a file goes to the service whole, comes back whole or in part, and leaves it', async () => {
  const before = s3.objects.size
  expect((await put()).status).toBe(200)
  expect(s3.objects.size).toBe(before + 1)
  expect(Buffer.from(await (await get()).arrayBuffer())).toEqual(bytes)
  const part = await get({ range: 'bytes=10-19' })
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(10, 20)])
  expect(await unfinished()).toEqual([])

  await app.call('DELETE', `/storage/v1/object/evidence/${name}`, { token: owner.token })
  await sql`update file_contents set look_at = now() where look_at is not null`.execute(app.context.db)
  await removeFreedBytes(app.context, () => false)
  expect(s3.objects.size).toBe(before)
})

test('while the service is away, uploads and downloads say so, and nothing is half-written', async () => {
  await put()
  const kept = name
  s3.failAlways(AWAY)
  name = `${owner.id}/another.png`
  const refused = await put(Buffer.concat([PNG, randomBytes(99)]))
  expect([refused.status, refused.json]).toMatchObject([503, { statusCode: '503', code: 'SlowDown' }])
  expect(refused.headers.get('retry-after')).toBe('60')
  expect([await countRows(), await unfinished()]).toEqual([0, []])
  name = kept
  const lost = await get()
  expect([lost.status, await lost.json()]).toMatchObject([503, { code: 'SlowDown' }])
  expect((await app.call('GET', '/api/v1/me', { token: owner.token })).status).toBe(200)

  s3.failAlways(undefined)
  expect(Buffer.from(await (await get()).arrayBuffer())).toEqual(bytes)
})

test('a download that the service breaks off is broken off', async () => {
  await put(Buffer.concat([PNG, randomBytes(8_000_000)]))
  s3.fail('breaks-half-way')
  await expect(get().then((response) => response.arrayBuffer())).rejects.toThrow()
})

test('a resumable upload whose last part cannot be stored is asked for later, without its bytes', async () => {
  const metadata = Object.entries({ bucketName: 'evidence', objectName: name, contentType: 'image/png' })
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
  const begun = await resumable('POST', '/storage/v1/upload/resumable', {
    'upload-length': String(bytes.length),
    'upload-metadata': metadata,
  })
  const url = begun.headers.get('location') ?? ''
  s3.failAlways(AWAY)
  const patch = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  const sent = await resumable('PATCH', url, patch, bytes)
  expect([sent.status, JSON.parse(sent.text)]).toMatchObject([503, { statusCode: '503', code: 'SlowDown' }])
  expect((await resumable('HEAD', url, {})).status).toBe(503)
  expect(await countRows()).toBe(0)

  s3.failAlways(undefined)
  const asked = await resumable('HEAD', url, {})
  expect([asked.status, asked.headers.get('upload-offset')]).toEqual([200, String(bytes.length)])
  expect(Buffer.from(await (await get()).arrayBuffer())).toEqual(bytes)
})

test('a file that the scan finds harmful is refused, and one that it could not scan may come again', async () => {
  const before = s3.requests.length
  const infected = await put(Buffer.concat([PNG, Buffer.from('EICAR')]))
  expect([infected.status, infected.json]).toMatchObject([400, { statusCode: '422', error: 'Infected' }])
  const stuck = await put(Buffer.concat([PNG, Buffer.from('STUCK')]))
  expect([stuck.status, stuck.json]).toMatchObject([
    503,
    { code: 'SlowDown', message: 'The file could not be scanned. Try again later.' },
  ])
  expect([await countRows(), await unfinished(), s3.requests.length]).toEqual([0, [], before])
})

test('a full disk refuses files, and nothing else', async () => {
  // Ten terabytes are to stay free.
  const full = await startApp({ FILES_RESERVE_MB: '10000000', METRICS_TOKEN: 'a-token-for-the-scraper' })
  try {
    const client = await full.newApprovedClient()
    name = `${client.id}/x.png`
    const refused = await put(bytes, full, client)
    expect([refused.status, refused.json]).toMatchObject([
      503,
      { statusCode: '503', code: 'SlowDown', message: 'The server has no room for files at the moment.' },
    ])
    const rows = await sql`select from stored_files`.execute(full.context.db)
    expect(rows.rows).toEqual([])
    expect((await full.call('GET', '/api/v1/me', { token: client.token })).status).toBe(200)
    const metrics = await fetch(`${full.url}/metrics`, {
      headers: { authorization: 'Bearer a-token-for-the-scraper' },
    })
    const text = await metrics.text()
    expect(Number(/^leadwire_files_free_bytes (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0)
    expect(text).toContain('leadwire_files_stored_bytes 0')
  } finally {
    await full.close()
  }
})
