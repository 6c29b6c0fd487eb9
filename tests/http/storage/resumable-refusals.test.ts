import { randomUUID } from 'node:crypto'
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Person } from '../support/start-app.ts'
import { makeServiceKey } from './open-storage-client.ts'
import { metadataOf, startResumable, type Said } from './start-resumable.ts'

const { app, owner, stranger, at, folder, about, ask, begin } = await startResumable()

test.each<[string, number, () => Said, Said?]>([
  ['names no bucket', 400, () => ({ objectName: at.name })],
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

test('a session that ended cannot go on', async () => {
  const leaving = await app.newApprovedClient()
  at.name = `${leaving.id}/x.png`
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
    at.name = `${busy.id}/${randomUUID()}.png`
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
