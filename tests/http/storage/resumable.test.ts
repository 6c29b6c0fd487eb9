import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { request as askPlainly } from 'node:http'
import path from 'node:path'
import { Upload, type DetailedError, type UploadOptions } from 'tus-js-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openHttpServer } from '#core/http/open-http-server.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { createApp } from '#server/app.ts'
import { createContext } from '#server/context.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { makeServiceKey, openStorage } from './open-storage-client.ts'
import { PNG } from './pictures.ts'

let app: TestApp
let owner: Person
let stranger: Person
beforeAll(async () => {
  app = await startApp()
  owner = await app.newApprovedClient()
  stranger = await app.newApprovedClient()
})
afterAll(() => app.close())

let name: string
let bytes: Buffer
beforeEach(() => {
  name = `${owner.id}/${randomUUID()}.png`
  bytes = Buffer.concat([PNG, randomBytes(300_000)])
})

const folder = (): string => path.join(app.context.config.files.folder, 'resumable')
const download = async (): Promise<Buffer | undefined> => {
  const { data } = await openStorage(app.url, owner.token).from('evidence').download(name)
  return data === null ? undefined : Buffer.from(await data.arrayBuffer())
}
const about = (more: Record<string, string> = {}): Record<string, string> => ({
  bucketName: 'evidence',
  objectName: name,
  contentType: 'image/png',
  ...more,
})

/** Uploads with the client that the client library's users are told to take. @returns the upload's address */
function upload(
  given: Partial<UploadOptions> & { from?: string; person?: Person; body?: Buffer } = {},
): Promise<string> {
  const { from = app.url, person = owner, body = bytes, headers, ...options } = given
  return new Promise((resolve, reject) => {
    const made = new Upload(body, {
      endpoint: `${from}/storage/v1/upload/resumable`,
      retryDelays: null,
      chunkSize: 100_000,
      metadata: about(),
      headers: { authorization: `Bearer ${person.token}`, ...headers },
      onError: reject,
      onSuccess: () => resolve(made.url ?? ''),
      ...options,
    })
    made.start()
  })
}

type Said = Record<string, string>
const metadataOf = (said: Said): string =>
  Object.entries(said)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')

/** A request of the protocol, by hand. */
async function ask(method: string, url: string, headers: Said = {}, person: Person | null = owner) {
  const response = await fetch(new URL(url, app.url), {
    method,
    headers: {
      'tus-resumable': '1.0.0',
      ...(person && { authorization: `Bearer ${person.token}` }),
      ...headers,
    },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const begin = (said: Said = about(), headers: Said = {}, person: Person | null = owner) =>
  ask(
    'POST',
    '/storage/v1/upload/resumable',
    { 'upload-length': String(bytes.length), 'upload-metadata': metadataOf(said), ...headers },
    person,
  )
const offsetOf = async (url: string): Promise<number> =>
  Number((await ask('HEAD', url)).headers.get('upload-offset'))

/** Sends a part of the file, and breaks the connection in the middle of the request. */
async function sendAndBreak(url: string, part: number, from = app.url): Promise<void> {
  const sending = askPlainly(new URL(url, from), {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${owner.token}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': String(bytes.length),
    },
  })
  sending.once('error', () => undefined)
  sending.write(bytes.subarray(0, part))
  await waitUntil(
    async () => {
      const id = url.split('/').at(-1) ?? ''
      return (await readFile(path.join(folder(), id)).catch(() => Buffer.alloc(0))).length >= part
    },
    { what: 'The part on the disk' },
  )
  const broken = new Promise((resolve) => {
    sending.once('close', resolve)
  })
  sending.destroy()
  await broken
}

test('uploads a file in parts, which becomes one as any other does', async () => {
  const url = await upload({ metadata: about({ cacheControl: '60', metadata: '{"kind":"call"}' }) })

  expect(url).toContain(`/storage/v1/upload/resumable/${owner.id}.`)
  expect(await download()).toEqual(bytes)
  expect(await ask('GET', url)).toMatchObject({
    status: 400,
    text: expect.stringContaining('An upload cannot be read') as string,
  })
  const { data } = await openStorage(app.url, owner.token).from('evidence').info(name)
  expect(data).toMatchObject({
    contentType: 'image/png',
    cacheControl: 'max-age=60',
    metadata: { kind: 'call' },
  })
  // A sender whose last answer was lost learns that all is there.
  expect(await offsetOf(url)).toBe(bytes.length)
  expect((await readFile(path.join(folder(), url.split('/').at(-1) ?? ''))).length).toBe(0)
})

test('goes on where a broken connection left off', async () => {
  const url = (await begin()).headers.get('location') ?? ''
  await sendAndBreak(url, 120_000)
  expect(await offsetOf(url)).toBe(120_000)
  const sent: number[] = []
  await upload({ uploadUrl: new URL(url, app.url).href, onProgress: (at) => void sent.push(at) })

  expect(Math.min(...sent)).toBeGreaterThanOrEqual(120_000)
  expect(await download()).toEqual(bytes)
})

test('goes on at a server that was started meanwhile', async () => {
  const url = (await begin()).headers.get('location') ?? ''
  await sendAndBreak(url, 80_000)
  const { config } = app.context
  const { context, close } = await createContext(
    config,
    config.secretsKey ?? '',
    createLogger('test', 'silent'),
  )
  const { server, port } = await openHttpServer({ listener: createApp(context), host: '127.0.0.1', port: 0 })
  const from = `http://127.0.0.1:${port}`
  await upload({ from, uploadUrl: new URL(url, from).href })
  context.realtime.end()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  await close()

  expect(await download()).toEqual(bytes)
})

test('an upload of somebody else is as if it did not exist, and nobody uploads without a session', async () => {
  const url = (await begin()).headers.get('location') ?? ''
  const patch = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  for (const [method, headers] of [
    ['HEAD', {}],
    ['PATCH', patch],
    ['DELETE', {}],
  ] as const) {
    expect((await ask(method, url, headers, stranger)).status, method).toBe(404)
    expect((await ask(method, url, headers, null)).status, `${method} without a session`).toBe(403)
  }
  expect((await ask('GET', url)).status).toBeGreaterThanOrEqual(400)
  for (const tricky of [
    '..%2f..%2fpasswd',
    `${stranger.id}.${'0'.repeat(32)}`,
    `${owner.id}.${'0'.repeat(32)}`,
    'service.x',
  ])
    expect((await ask('HEAD', `/storage/v1/upload/resumable/${tricky}`)).status, tricky).toBe(404)
  expect(await offsetOf(url)).toBe(0)
  expect((await ask('DELETE', url)).status).toBe(204)
  expect((await ask('HEAD', url)).status).toBe(404)
  expect((await readdir(folder())).filter((file) => url.endsWith(file.slice(0, 40)))).toEqual([])
})

test.each<[string, number, () => Said, Said?]>([
  ['names no bucket', 400, () => ({ objectName: name })],
  ['names a bucket that is not there', 404, () => about({ bucketName: 'nothing' })],
  ['names a bucket for reading', 403, () => about({ bucketName: 'exports' })],
  ['lies in a folder of somebody else', 400, () => about({ objectName: `${stranger.id}/x.png` })],
  ['climbs', 400, () => about({ objectName: `${owner.id}/../x.png` })],
  ['is larger than its bucket allows', 413, () => about(), { 'upload-length': '25000001' }],
  ['is larger than any file', 413, () => about(), { 'upload-length': '5000000000' }],
  ['has metadata that are no JSON', 400, () => about({ metadata: '{' })],
])('an upload that %s is refused before its bytes', async (_what, status, said, headers) => {
  const answer = await begin(said(), headers)
  expect(answer.status).toBe(status)
  expect(answer.headers.get('location')).toBeNull()
  expect(
    (await readdir(folder())).filter((file) => file.endsWith('.json') && file.startsWith(stranger.id)),
  ).toEqual([])
})

test('a length that is told later is refused, and so are bytes at another offset', async () => {
  const deferred = await ask('POST', '/storage/v1/upload/resumable', {
    'upload-defer-length': '1',
    'upload-metadata': metadataOf(about()),
  })
  expect(deferred.status).toBe(501)
  const url = (await begin()).headers.get('location') ?? ''
  const patch = { 'upload-offset': '7', 'content-type': 'application/offset+octet-stream' }
  const wrong = await ask('PATCH', url, patch)
  expect([wrong.status, JSON.parse(wrong.text)]).toMatchObject([
    409,
    { statusCode: '409', message: 'Upload-Offset conflict' },
  ])
})

test('a name that is taken is refused, unless the sender replaces it', async () => {
  await upload()
  const again = Buffer.concat([PNG, randomBytes(1000)])
  await expect(upload({ body: again })).rejects.toSatisfy(
    (error: DetailedError) => error.originalResponse?.getStatus() === 409,
  )
  expect(await download()).toEqual(bytes)
  await upload({ body: again, headers: { 'x-upsert': 'true' } })
  expect(await download()).toEqual(again)
})

test('a file that its bytes refuse is forgotten', async () => {
  const url = (await begin(about(), { 'upload-length': '5' })).headers.get('location') ?? ''
  const response = await fetch(new URL(url, app.url), {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${owner.token}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: 'a tex',
  })
  expect([response.status, await response.json()]).toMatchObject([415, { code: 'InvalidMimeType' }])
  expect((await ask('HEAD', url)).status).toBe(404)
  expect(await download()).toBeUndefined()
})

test('a session that ended cannot go on', async () => {
  const leaving = await app.newApprovedClient()
  name = `${leaving.id}/x.png`
  const url = (await begin(about(), {}, leaving)).headers.get('location') ?? ''
  await app.call('POST', '/auth/v1/logout', { token: leaving.token, body: {} })
  expect((await ask('HEAD', url, {}, leaving)).status).toBe(403)
})

test('an upload that nobody went on with for a day is gone', async () => {
  const url = (await begin()).headers.get('location') ?? ''
  const id = url.split('/').at(-1) ?? ''
  const record = path.join(folder(), `${id}.json`)
  const kept = JSON.parse(await readFile(record, 'utf8')) as Record<string, unknown>
  const yesterday = new Date(Date.now() - 86_400_001)
  await writeFile(record, JSON.stringify({ ...kept, creation_date: yesterday.toISOString() }))
  expect((await ask('HEAD', url)).status).toBe(410)
  for (const file of [id, `${id}.json`]) await utimes(path.join(folder(), file), yesterday, yesterday)
  expect(await app.context.files.removeUnfinished(new Date(Date.now() - 86_400_000))).toBe(2)
  expect((await ask('HEAD', url)).status).toBe(404)
})

test('a person has 20 uploads under way, and a service key none of them', async () => {
  const busy = await app.newApprovedClient()
  const key = await makeServiceKey(app.context)
  const tryOne = (person: Person) => {
    name = `${busy.id}/${randomUUID()}.png`
    return begin(about(), {}, person)
  }
  for (let count = 0; count < 20; count += 1) expect((await tryOne(busy)).status).toBe(201)
  expect((await tryOne(busy)).status).toBe(429)
  expect((await tryOne({ ...busy, token: key })).status).toBe(201)
})

test('a page of another origin may upload', async () => {
  const preflight = await ask(
    'OPTIONS',
    '/storage/v1/upload/resumable',
    { origin: 'https://app.example.com' },
    null,
  )
  expect(preflight.status).toBe(204)
  const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase() ?? ''
  for (const header of [
    'tus-resumable',
    'upload-length',
    'upload-metadata',
    'upload-offset',
    'x-upsert',
    'authorization',
  ])
    expect(allowed).toContain(header)
  const begun = await begin(about(), { origin: 'https://app.example.com' })
  expect(begun.headers.get('access-control-allow-origin')).toBe('*')
  expect(begun.headers.get('access-control-expose-headers')).toContain('Location')
})
