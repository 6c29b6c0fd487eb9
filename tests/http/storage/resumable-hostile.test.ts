import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PNG } from './pictures.ts'
import { metadataOf, startResumable, type Said } from './start-resumable.ts'

const { app, owner, stranger, at, folder, about, ask, begin } = await startResumable()
const OFFSET = 'application/offset+octet-stream'

const patch = async (url: string, headers: Said, body: Uint8Array | string = PNG) => {
  const response = await fetch(new URL(url, app.url), {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${owner.token}`,
      'tus-resumable': '1.0.0',
      'content-type': OFFSET,
      ...headers,
    },
    body: typeof body === 'string' ? body : Uint8Array.from(body),
  })
  return { status: response.status, text: await response.text() }
}

test('hostile headers of resumable uploads are refused, and no fault of the server', async () => {
  const faults: unknown[] = []
  const note = (what: unknown, { status, text }: { status: number; text: string }): void => {
    if (status >= 500 && status !== 501) faults.push({ what, status, text: text.slice(0, 200) })
  }
  for (const length of [
    '-1',
    '1e3',
    '0x10',
    'NaN',
    '',
    ' 5',
    '5 ',
    '9007199254740993',
    '1'.repeat(400),
    '5,5',
    '5.5',
    'null',
  ])
    note({ length }, await begin(about(), { 'upload-length': length }))
  for (const metadata of [
    '',
    ',',
    'bucketName',
    'bucketName =',
    'bucketName %%%',
    `${metadataOf(about())},bucketName ${btoa('exports')}`,
    `${metadataOf(about())},upsert ${btoa('true')}`,
    `__proto__ ${btoa('x')},constructor ${btoa('y')}`,
    metadataOf(about({ objectName: '\0' })),
    metadataOf(about({ objectName: `${owner.id}/${'a'.repeat(2000)}` })),
    metadataOf(about({ contentType: 'text/html\r\nX: y' })),
    metadataOf(about({ contentType: 'x'.repeat(300) })),
    metadataOf(about({ cacheControl: '-1; drop' })),
    metadataOf(about({ metadata: '{"__proto__":{"a":1}}' })),
    metadataOf(about({ metadata: '['.repeat(2000) })),
    metadataOf(about({ bucketName: "evidence' or '1'='1" })),
    metadataOf(about({ bucketName: '../evidence' })),
  ])
    note({ metadata }, await begin(about(), { 'upload-metadata': metadata, 'upload-length': '5' }))
  for (const headers of [
    { 'upload-concat': 'partial' },
    { 'upload-concat': `final;/storage/v1/upload/resumable/${stranger.id}.${'0'.repeat(32)}` },
    { 'x-http-method-override': 'DELETE' },
    { 'x-http-method-override': 'GET' },
    { 'upload-checksum': 'sha1 xx' },
    { 'tus-resumable': '0.2.2' },
    { 'upload-defer-length': '1' },
    { 'content-encoding': 'gzip' },
  ] as Said[])
    note({ headers }, await begin(about(), headers))
  const url = (await begin()).headers.get('location') ?? ''
  for (const offset of ['-1', '1e0', 'NaN', '', '99999999999999999999', '0x0', '0,0'])
    note({ offset }, await patch(url, { 'upload-offset': offset }))
  note('type', await patch(url, { 'upload-offset': '0', 'content-type': 'text/plain' }))
  note('length', await patch(url, { 'upload-offset': '0', 'upload-length': '1' }))
  note('too many', await patch(url, { 'upload-offset': '0' }, Buffer.alloc(at.bytes.length + 5)))
  for (const id of [
    '..',
    '%2e%2e',
    '%00',
    `${owner.id}.`,
    `${owner.id}.${'f'.repeat(32)}.json`,
    'a'.repeat(3000),
  ])
    for (const method of ['HEAD', 'DELETE', 'PATCH'])
      note({ id, method }, await ask(method, `/storage/v1/upload/resumable/${id}`))
  expect(faults).toEqual([])
})

test('a race of parts, questions and removals of one upload has one outcome', async () => {
  const url = (await begin(about(), { 'upload-length': String(PNG.length) })).headers.get('location') ?? ''
  const all = await Promise.all([
    ...Array.from({ length: 6 }, () => patch(url, { 'upload-offset': '0' })),
    ...Array.from({ length: 6 }, () => ask('HEAD', url)),
  ])
  expect(all.filter(({ status }) => status >= 500)).toEqual([])
  expect((await ask('HEAD', url)).headers.get('upload-offset')).toBe(String(PNG.length))
  at.name = `${owner.id}/${randomUUID()}.png`
  const next = (await begin(about(), { 'upload-length': String(PNG.length) })).headers.get('location') ?? ''
  const raced = await Promise.all([
    patch(next, { 'upload-offset': '0' }),
    ask('DELETE', next),
    ask('HEAD', next),
    ask('DELETE', next),
    patch(next, { 'upload-offset': '0' }),
  ])
  expect(raced.filter(({ status }) => status >= 500)).toEqual([])
})

test('marks of uploads that were stored a day ago make no room for more', async () => {
  const person = await app.newApprovedClient()
  at.name = `${person.id}/x.png`
  for (let count = 0; count < 3; count += 1) {
    const { headers } = await begin(about(), { 'upload-length': String(PNG.length) }, person)
    const url = headers.get('location') ?? ''
    const id = url.split('/').at(-1) ?? ''
    const response = await fetch(new URL(url, app.url), {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${person.token}`,
        'tus-resumable': '1.0.0',
        'content-type': OFFSET,
        'upload-offset': '0',
      },
      body: Uint8Array.from(PNG),
    })
    expect(response.status).toBe(204)
    await rm(path.join(folder(), `${id}.json`))
    at.name = `${person.id}/${randomUUID()}.png`
  }
  const statuses: number[] = []
  for (let count = 0; count < 21; count += 1) {
    at.name = `${person.id}/${randomUUID()}.png`
    statuses.push((await begin(about(), {}, person)).status)
  }
  expect(statuses.at(-1)).toBe(429)
})
