import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FileMissing, FileTooLarge, type FileStore } from '#core/file-store/file-store.ts'
import { openDiskStore } from '#core/file-store/open-disk-store.ts'

let folder: string
let store: FileStore
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'leadwire-files-'))
  store = openDiskStore({ folder, reserveBytes: 0 })
})
afterAll(() => rm(folder, { recursive: true }))

async function* pieces(...given: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* given
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = []
  for await (const piece of bytes) read.push(piece)
  return Buffer.concat(read)
}

const limits = { mostBytes: 10_000_000 }
const unfinished = (): Promise<string[]> => readdir(path.join(folder, 'unfinished'))

test('keeps bytes under their hash, in two levels of folders', async () => {
  const bytes = randomBytes(700_000)
  const content = await store.write(pieces(bytes.subarray(0, 3), bytes.subarray(3)), limits)

  expect(content).toEqual({ sha256: createHash('sha256').update(bytes).digest('hex'), size: 700_000 })
  const { sha256 } = content
  expect(await readdir(path.join(folder, sha256.slice(0, 2), sha256.slice(2, 4)))).toEqual([sha256])
  expect((await readAll(await store.read(sha256))).equals(bytes)).toBe(true)
  expect(await readAll(await store.read(sha256, { start: 5, end: 9 }))).toEqual(bytes.subarray(5, 10))
  expect(await unfinished()).toEqual([])
})

test('keeps no bytes', async () => {
  const { sha256, size } = await store.write(pieces(), limits)

  expect([size, (await readAll(await store.read(sha256))).length]).toEqual([0, 0])
})

test('stores the same bytes from several writers at once', async () => {
  const bytes = randomBytes(300_000)
  const written = await Promise.all(
    Array.from({ length: 8 }, () => openDiskStore({ folder, reserveBytes: 0 }).write(pieces(bytes), limits)),
  )

  expect(new Set(written.map(({ sha256 }) => sha256)).size).toBe(1)
  expect((await readAll(await store.read(written[0]?.sha256 ?? ''))).equals(bytes)).toBe(true)
})

test('leaves nothing of bytes that are too many, break off or are refused', async () => {
  const bytes = randomBytes(2000)
  await expect(store.write(pieces(bytes, bytes), { mostBytes: 3999 })).rejects.toThrow(FileTooLarge)
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield bytes
    throw new Error('the connection was cut')
  }
  await expect(store.write(broken(), limits)).rejects.toThrow('the connection was cut')
  const refused = store.write(pieces(bytes), { ...limits, announce: () => Promise.reject(new Error('no')) })
  await expect(refused).rejects.toThrow('no')

  expect(await unfinished()).toEqual([])
  await expect(store.read(createHash('sha256').update(bytes).digest('hex'))).rejects.toThrow(FileMissing)
})

test('removes bytes, and what a crash cut off', async () => {
  const { sha256 } = await store.write(pieces(randomBytes(10)), limits)
  await store.remove(sha256)
  await store.remove(sha256)
  await expect(store.read(sha256)).rejects.toThrow(FileMissing)

  let cut = (): void => undefined
  const stalled = new Promise<void>((resolve) => {
    cut = resolve
  })
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield randomBytes(10)
    await stalled
  }
  const writing = store.write(slow(), limits)
  await expect.poll(unfinished).toHaveLength(1)
  expect(await store.removeUnfinished(new Date(Date.now() - 60_000))).toBe(0)
  expect(await store.removeUnfinished(new Date(Date.now() + 60_000))).toBe(1)
  cut()
  await expect(writing).rejects.toThrow('ENOENT')
})

test.each(['../../etc/passwd', 'A'.repeat(64), ''])('refuses the key %j', async (key) => {
  await expect(store.read(key)).rejects.toThrow(TypeError)
})
