import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FILE_LIMITS } from '#core/contract/files/buckets.ts'
import { takeUnnamedContents } from '#core/data/files/file-contents.ts'
import { findFile } from '#core/data/files/stored-files.ts'
import { removeFiles } from '#core/use-cases/files/remove-files.ts'
import { storeFile, type GivenFile } from '#core/use-cases/files/store-file.ts'
import { givenClient, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let pipeline: TestPipeline
let owner: string
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  owner = await givenClient(pipeline.db)
})
afterAll(() => pipeline.close())

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

const given = (name: string, bytes: Uint8Array, more: Partial<GivenFile> = {}): GivenFile => ({
  bucket: 'exports',
  account_id: owner,
  name: `${owner}/${name}`,
  content_type: 'text/csv',
  bytes: bytesOf(bytes),
  upsert: false,
  ...more,
})
const store = (...file: Parameters<typeof given>): ReturnType<typeof storeFile> =>
  storeFile(pipeline.context, given(...file))
const refusal = (reason: string): unknown => expect.objectContaining({ reason })

test('stores a file, finds it and reads its bytes', async () => {
  const stored = await store('leads.csv', Buffer.from('a,b\n'), { metadata: { kind: 'leads' } })
  const found = await findFile(pipeline.db, { bucket: 'exports', name: `${owner}/leads.csv` })

  expect(found).toEqual(stored)
  expect(stored).toMatchObject({ size: 4, account_id: owner, cache_control: 'max-age=3600', lead_id: null })
  const read: Uint8Array[] = []
  for await (const piece of await pipeline.context.files.read(stored.sha256)) read.push(piece)
  expect(Buffer.concat(read).toString()).toBe('a,b\n')
})

test('keeps the first of two files of a name, unless the second replaces it', async () => {
  const first = await store('twice.csv', Buffer.from('first'))
  await expect(store('twice.csv', Buffer.from('second'))).rejects.toEqual(refusal('name_taken'))
  const second = await store('twice.csv', Buffer.from('second'), { upsert: true })

  expect(second.id).toBe(first.id)
  expect(second.version).not.toBe(first.version)
})

test('refuses a bucket, name, size, type or owner that cannot be', async () => {
  const none = Buffer.from('x')
  await expect(store('a', none, { bucket: 'nothing' })).rejects.toEqual(refusal('no_bucket'))
  await expect(store('../a', none)).rejects.toEqual(refusal('bad_name'))
  const strangers = { name: `${await givenClient(pipeline.db)}/a` }
  await expect(store('', none, strangers)).rejects.toEqual(refusal('bad_name'))
  const declared = { declared: 5_000_000_000 }
  await expect(store('a', none, declared)).rejects.toEqual(refusal('too_large'))
  await expect(store('a.png', none, { bucket: 'evidence', content_type: 'image/png' })).rejects.toEqual(
    refusal('bad_type'),
  )
  const tooMuch = { bucket: 'evidence', content_type: 'image/png' }
  const large = Buffer.concat([PNG, randomBytes(25_000_000)])
  await expect(store('a.png', large, tooMuch)).rejects.toEqual(refusal('too_large'))
})

test('reads the type of evidence from its bytes', async () => {
  const stored = await store('proof.html', PNG, { bucket: 'evidence', content_type: 'text/html' })

  expect(stored.content_type).toBe('image/png')
  // Screenshots and photos of some phones and scanners; a browser names no type for some.
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
  const tiff = Buffer.from('II*\0\x08\0\0\0\x01\0\0\x01\x03\0\x01\0\0\0\x01\0\0\0\0\0\0\0', 'latin1')
  for (const [name, bytes, type] of [
    ['photo.heic', heic, 'image/heic'],
    ['scan.tif', tiff, 'image/tiff'],
  ] as const) {
    const given = { bucket: 'evidence', content_type: 'application/octet-stream' }
    expect((await store(name, bytes, given)).content_type).toBe(type)
  }
})

test('an account has a quota, also for files that arrive at once', async () => {
  const id = await givenClient(pipeline.db)
  const mine = (name: string): Partial<GivenFile> => ({ account_id: id, name: `${id}/${name}` })
  const first = await store('', Buffer.from('1'), mine('first'))
  await sql`update stored_files set size = ${FILE_LIMITS.quota - 6}::float8 where id = ${first.id}`.execute(
    pipeline.db,
  )
  const results = await Promise.allSettled(
    ['a', 'b'].map((name) => store('', Buffer.from(`${name}234`), mine(name))),
  )

  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(store('', Buffer.from('12345678'), mine('c'))).rejects.toThrow()

  // Its payments get their receipts all the same.
  const receipt = { ...mine('receipt.html'), bucket: 'receipts', content_type: 'text/html; charset=utf-8' }
  await expect(store('', Buffer.from('12345678'), receipt)).resolves.toMatchObject({ size: 8 })
})

test('bytes stay until the last file that has them is removed', async () => {
  const bytes = randomBytes(100)
  const { sha256 } = await store('one', bytes)
  await store('two', bytes)
  const take = async (): Promise<string[]> =>
    (await pipeline.db.transaction().execute((trx) => takeUnnamedContents(trx, 100))).unnamed.map(
      ({ sha256: hash }) => hash,
    )
  const remove = (name: string): ReturnType<typeof removeFiles> =>
    removeFiles(pipeline.context, { bucket: 'exports', account_id: owner, names: [`${owner}/${name}`] })
  await sql`update file_contents set look_at = null`.execute(pipeline.db)

  expect(await remove('one')).toMatchObject([{ name: `${owner}/one`, sha256 }])
  expect(await take()).toEqual([])
  expect(await remove('two')).toHaveLength(1)
  expect(await take()).toEqual([sha256])
  expect(await remove('two')).toEqual([])
})
