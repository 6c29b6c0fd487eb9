import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect } from 'vitest'
import { startApp, type TestApp } from '../support/start-app.ts'
import { makeServiceKey, openStorage, type StorageOf } from './open-storage-client.ts'

/** A server and the client library's storage with a service key, which has a new bucket for each test. */
export interface LiveSuite {
  app: TestApp
  key: string
  storage: StorageOf
  picture: Buffer<ArrayBuffer>
  /** the path of a small text */
  textFile: string
  /** this test's own */
  bucket: string
  /** a name in it */
  name: string
  newBucket: (settings?: Partial<Parameters<StorageOf['createBucket']>[1]>) => Promise<string>
  files: () => ReturnType<StorageOf['from']>
  /** Stores the picture under the name. */
  upload: () => Promise<void>
}

/** Starts it for all tests of the file; it is closed after the last one. */
export async function startLiveSuite(): Promise<LiveSuite> {
  const app = await startApp()
  const key = await makeServiceKey(app.context)
  const storage = openStorage(app.url, key)
  const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-uploads-'))
  const textFile = path.join(folder, 'file.txt')
  await writeFile(textFile, 'a text')
  await storage.createBucket('bucket-move', { public: true })
  afterAll(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  const suite: LiveSuite = {
    app,
    key,
    storage,
    picture: randomBytes(29_000),
    textFile,
    bucket: '',
    name: '',
    newBucket: async (settings = {}) => {
      const id = `bucket-${randomUUID()}`
      const { error } = await storage.createBucket(id, { public: true, ...settings })
      expect(error).toBeNull()
      return id
    },
    files: () => storage.from(suite.bucket),
    upload: async () => {
      expect((await suite.files().upload(suite.name, suite.picture)).error).toBeNull()
    },
  }
  beforeEach(async () => {
    suite.bucket = await suite.newBucket()
    suite.name = `testpath/file-${randomUUID()}.jpg`
  })
  return suite
}
