import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { announceContent } from '#core/data/files/file-contents.ts'
import { FileMissing, type FileStore } from '#core/file-store/file-store.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { removeFiles } from '#core/use-cases/files/remove-files.ts'
import { removeErasedBytes, removeFreedBytes } from '#core/use-cases/files/remove-freed-bytes.ts'
import { storeFile } from '#core/use-cases/files/store-file.ts'
import { removeOverFiles } from '#worker/housekeeping/files/remove-over-files.ts'
import { givenClient, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { readSample } from '#tests/support/read-sample.ts'

let pipeline: TestPipeline
let owner: string
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  owner = await givenClient(pipeline.db)
})
afterAll(() => pipeline.close())

const never = () => false
const sweep = () => removeOverFiles(pipeline.context, new AbortController().signal)
async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}
async function store(name: string, bytes = randomBytes(50), expires_at?: Date): Promise<string> {
  const given = { bucket: 'exports', account_id: owner, name: `${owner}/${name}`, content_type: 'text/csv' }
  const { sha256 } = await storeFile(pipeline.context, {
    ...given,
    bytes: bytesOf(bytes),
    expires_at,
    upsert: false,
  })
  // The moment is an hour after the announcement.
  await sql`update file_contents set look_at = null where look_at > now()`.execute(pipeline.db)
  return sha256
}
const remove = (name: string) =>
  removeFiles(pipeline.context, { bucket: 'exports', account_id: owner, names: [`${owner}/${name}`] })
const isThere = async (sha256: string): Promise<boolean> => {
  try {
    for await (const _ of await pipeline.context.files.read(sha256));
    return true
  } catch (error) {
    if (error instanceof FileMissing) return false
    throw error
  }
}
const contents = async (): Promise<string[]> => {
  const { rows } = await sql<{ sha256: string }>`
    select encode(sha256, 'hex') as sha256 from file_contents order by 1`.execute(pipeline.db)
  return rows.map(({ sha256 }) => sha256)
}

test('removes expired files and their bytes, and counts them', async () => {
  const soon = await store('soon', undefined, new Date(Date.now() + 60_000))
  const over = await store('over', undefined, new Date(Date.now() - 1000))
  const kept = await store('kept')

  await sweep()

  expect([await isThere(over), await isThere(soon), await isThere(kept)]).toEqual([false, true, true])
  expect(await contents()).toEqual([soon, kept].toSorted())
  const text = await pipeline.context.metrics.registry.metrics()
  expect(readSample(text, 'leadwire_files_removed_total{reason="expired"}')).toBe(1)
  expect(readSample(text, 'leadwire_files_removed_total{reason="unnamed"}')).toBe(1)
  expect(readSample(text, 'leadwire_files_stored_bytes')).toBe(100)
  expect(readSample(text, 'leadwire_files_free_bytes')).toBeGreaterThan(0)
})

test('bytes that were announced and not yet named stay for an hour', async () => {
  const { files, db } = pipeline.context
  const { sha256 } = await files.write(bytesOf(randomBytes(20)), {
    mostBytes: 100,
    announce: async (content) => void (await announceContent(db, content)),
  })
  await sweep()
  expect(await isThere(sha256)).toBe(true)

  await sql`update file_contents set look_at = look_at - interval '61 minutes'`.execute(db)
  await sweep()
  expect(await isThere(sha256)).toBe(false)
  expect(await contents()).not.toContain(sha256)
})

test('a sender of the same bytes waits while they are removed, and then stores them again', async () => {
  const { context, db } = pipeline
  const bytes = randomBytes(30)
  const sha256 = await store('first', bytes)
  await remove('first')
  const [removing, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: FileStore = {
    ...context.files,
    remove: async (hash) => {
      removing.resolve()
      await goOn.promise
      await context.files.remove(hash)
    },
  }
  const removed = removeFreedBytes({ db, files: slow }, never)
  await removing.promise
  const stored = store('second', bytes)
  goOn.resolve()

  expect(await removed).toBe(1)
  expect(await stored).toBe(sha256)
  expect(await isThere(sha256)).toBe(true)
  await sweep()
  expect(await isThere(sha256)).toBe(true)
})

test('bytes that are erased while the same arrive are gone, and their sender is told to send again', async () => {
  const { context, db } = pipeline
  const bytes = randomBytes(40)
  const erasing: FileStore = {
    ...context.files,
    write: async (given, limits) => {
      const content = await context.files.write(given, limits)
      await removeErasedBytes(context, [content.sha256])
      // They then look as if they had been placed only now.
      return await context.files.write(bytesOf(bytes), { mostBytes: 100 })
    },
  }
  const given = { bucket: 'exports', account_id: owner, name: `${owner}/raced`, content_type: 'text/csv' }
  await expect(
    storeFile({ db, files: erasing }, { ...given, bytes: bytesOf(bytes), upsert: false }),
  ).rejects.toMatchObject({ reason: 'store_away', retryable: true })

  const arrived = (await contents()).length
  await sql`update file_contents set look_at = now() where look_at is not null`.execute(db)
  await sweep()
  expect((await contents()).length).toBe(arrived - 1)
})

test('bytes that got no name, because the file was refused at its end, are removed within a minute', async () => {
  const { context } = pipeline
  const before = await contents()
  const given = { bucket: 'exports', account_id: owner, name: `${owner}/refused`, content_type: 'text/csv' }
  const alongside = () => Promise.reject(new Error('the export was removed'))
  await expect(
    storeFile(context, { ...given, bytes: bytesOf(randomBytes(41)), upsert: false, alongside }),
  ).rejects.toThrow('the export was removed')
  await sweep()
  expect(await contents()).toEqual(before)
})

test('bytes that the store could not remove are removed by a later run', async () => {
  const { context, db } = pipeline
  const sha256 = await store('stuck')
  await remove('stuck')
  const away: FileStore = { ...context.files, remove: () => Promise.reject(new Error('the service is away')) }
  await expect(removeFreedBytes({ db, files: away }, never)).rejects.toThrow('away')
  expect(await contents()).toContain(sha256)
  expect(await isThere(sha256)).toBe(true)

  await passDoubt()
  await Promise.all([sweep(), sweep()])
  expect(await contents()).not.toContain(sha256)
  expect(await isThere(sha256)).toBe(false)
})

const passDoubt = () =>
  sql`update file_contents set look_at = now(), doubtful_until = now()`.execute(pipeline.db)

test('a removal that was not confirmed and happens later takes no equal file with it', async () => {
  const { context, db } = pipeline
  const bytes = randomBytes(45)
  const sha256 = await store('late', bytes)
  await remove('late')
  const lost: FileStore = { ...context.files, remove: () => Promise.reject(new Error('no answer')) }
  await expect(removeFreedBytes({ db, files: lost }, never)).rejects.toThrow('no answer')

  await expect(store('equal', bytes)).rejects.toMatchObject({ reason: 'store_away', retryable: true })
  await context.files.remove(sha256)
  await passDoubt()
  expect(await store('equal', bytes)).toBe(sha256)
  expect(await isThere(sha256)).toBe(true)
})

test('bytes whose removal is not confirmed between their arrival and their name get no name', async () => {
  const { context, db } = pipeline
  const bytes = randomBytes(46)
  const lost: FileStore = { ...context.files, remove: () => Promise.reject(new Error('no answer')) }
  const logger = createLogger('test', 'silent')
  const erasing: FileStore = {
    ...context.files,
    write: async (given, limits) => {
      const content = await context.files.write(given, limits)
      await removeErasedBytes({ ...context, files: lost, logger }, [content.sha256])
      return content
    },
  }
  const given = { bucket: 'exports', account_id: owner, name: `${owner}/doubted`, content_type: 'text/csv' }
  await expect(
    storeFile({ db, files: erasing }, { ...given, bytes: bytesOf(bytes), upsert: false }),
  ).rejects.toMatchObject({ reason: 'store_away', retryable: true })
})
