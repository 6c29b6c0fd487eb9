import { createKeyring } from '#core/secrets/keyring.ts'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { request as askPlainly } from 'node:http'
import path from 'node:path'
import { Upload, type DetailedError, type UploadOptions } from 'tus-js-client'
import { expect, test } from 'vitest'
import { openHttpServer } from '#core/http/open-http-server.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { createApp } from '#server/app.ts'
import { createContext } from '#server/context.ts'
import { waitUntil } from '#tests/support/condition.ts'
import type { Person } from '../support/start-app.ts'
import { openStorage } from './open-storage-client.ts'
import { PNG } from './pictures.ts'
import { startResumable } from './start-resumable.ts'

const { app, owner, stranger, at, folder, about, ask, begin } = await startResumable()

const download = async (): Promise<Buffer | undefined> => {
  const { data } = await openStorage(app.url, owner.token).from('evidence').download(at.name)
  return data === null ? undefined : Buffer.from(await data.arrayBuffer())
}

/** Uploads with the client that the client library's users are told to take. @returns the upload's address */
function upload(
  given: Partial<UploadOptions> & { from?: string; person?: Person; body?: Buffer } = {},
): Promise<string> {
  const { from = app.url, person = owner, body = at.bytes, headers, ...options } = given
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
      'content-length': String(at.bytes.length),
    },
  })
  sending.once('error', () => undefined)
  sending.write(at.bytes.subarray(0, part))
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
  expect(await download()).toEqual(at.bytes)
  expect(await ask('GET', url)).toMatchObject({
    status: 400,
    text: expect.stringContaining('An upload cannot be read') as string,
  })
  const { data } = await openStorage(app.url, owner.token).from('evidence').info(at.name)
  expect(data).toMatchObject({
    contentType: 'image/png',
    cacheControl: 'max-age=60',
    metadata: { kind: 'call' },
  })
  // A sender whose last answer was lost learns that all is there.
  expect(await offsetOf(url)).toBe(at.bytes.length)
  expect((await readFile(path.join(folder(), url.split('/').at(-1) ?? ''))).length).toBe(0)
})

test('goes on where a broken connection left off', async () => {
  const url = (await begin()).headers.get('location') ?? ''
  await sendAndBreak(url, 120_000)
  expect(await offsetOf(url)).toBe(120_000)
  const sent: number[] = []
  await upload({ uploadUrl: new URL(url, app.url).href, onProgress: (at) => void sent.push(at) })

  expect(Math.min(...sent)).toBeGreaterThanOrEqual(120_000)
  expect(await download()).toEqual(at.bytes)
})

test('goes on at a server that was started meanwhile', async () => {
  const url = (await begin()).headers.get('location') ?? ''
  await sendAndBreak(url, 80_000)
  const { config } = app.context
  const { context, close } = await createContext(
    config,
    createKeyring(config.secretsKey ?? ''),
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

  expect(await download()).toEqual(at.bytes)
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

test('a name that is taken is refused, unless the sender replaces it', async () => {
  await upload()
  const again = Buffer.concat([PNG, randomBytes(1000)])
  await expect(upload({ body: again })).rejects.toSatisfy(
    (error: DetailedError) => error.originalResponse?.getStatus() === 409,
  )
  expect(await download()).toEqual(at.bytes)
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
