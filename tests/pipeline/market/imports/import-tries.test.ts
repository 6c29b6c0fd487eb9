import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#core/data/database.ts'
import { findImport } from '#core/data/imports/lead-imports.ts'
import type { FileStore } from '#core/file-store/file-store.ts'
import { openDiskStore } from '#core/file-store/open-disk-store.ts'
import { createLogger } from '#core/telemetry/logger.ts'
import { givenImport, writeLeads } from '#tests/support/given/imports.ts'
import { givenClient } from '#tests/support/given/pipeline.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/services/database.ts'
import { createReadImports } from '#worker/housekeeping/imports/read-imports.ts'
import { createTryImport, type TryImport } from '#worker/housekeeping/imports/try-import.ts'

let database: TestDatabase
let db: ReturnType<typeof openDatabase>['db']
let pool: ReturnType<typeof openDatabase>
let tryImport: TryImport
let admin: string
const logger = createLogger('test', 'silent')
let dataDir: string
let files: FileStore
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(path.join(tmpdir(), 'leadwire-files-'))
  files = openDiskStore({ folder: dataDir, reserveBytes: 0, scan: undefined })
  pool = openDatabase({ url: database.url, poolSize: 2, name: 'worker', byKey: true }, () => undefined)
  db = pool.db
  tryImport = createTryImport({ db, holdDb: db, logger })
  admin = await givenClient(db, 'admin')
})
afterAll(async () => {
  await pool.close()
  await database.drop()
  await rm(dataDir, { recursive: true })
})

const given = async () => await givenImport(db, writeLeads(3), { owner: null, by: admin })
const stateOf = async (id: string) => {
  const { state, failure } = (await findImport(db, id)) ?? {}
  return [state, failure]
}
const attempt = async (id: string, work: () => Promise<unknown>, signal = new AbortController().signal) =>
  await tryImport({ id, state: 'reading', signal }, work)

test('an import is tried again after two failures of the program, and fails at the third', async () => {
  const { id } = await given()
  const fail = async () => await attempt(id, () => Promise.reject(new RangeError('Invalid array length')))
  await fail()
  await fail()
  expect(await stateOf(id)).toEqual(['reading', null])
  await fail()
  expect(await stateOf(id)).toEqual(['failed', 'ended_worker'])
  expect(await fail()).toEqual({ outcome: 'elsewhere' })
})

test('an import that the database refuses fails at once, and other files are still read', async () => {
  const [refused, next] = [await given(), await given()]
  await attempt(refused.id, () => sql`select '{"a": "\\u0000"}'::jsonb ->> 'a'`.execute(db))
  expect(await stateOf(refused.id)).toEqual(['failed', 'refused'])
  await createReadImports({ db, holdDb: db, logger, files })(new AbortController().signal)
  expect(await stateOf(next.id)).toEqual(['ready', null])
})

test('an outage of the database or a stop of the worker does not count as a failed try', async () => {
  const { id } = await given()
  for (let time = 0; time < 4; time += 1) {
    const lost = attempt(id, () => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db))
    await expect(lost).rejects.toThrow()
    const stopping = new AbortController()
    await attempt(
      id,
      () => {
        stopping.abort()
        return Promise.resolve()
      },
      stopping.signal,
    )
  }
  expect(await stateOf(id)).toEqual(['reading', null])
  await createReadImports({ db, holdDb: db, logger, files })(new AbortController().signal)
  expect(await stateOf(id)).toEqual(['ready', null])
})

test('a worker skips an import that another worker is taking', async () => {
  const { id } = await given()
  await attempt(id, async () => {
    expect(await attempt(id, () => Promise.reject(new Error('not reached')))).toEqual({
      outcome: 'elsewhere',
    })
  })
  expect(await stateOf(id)).toEqual(['reading', null])
})
