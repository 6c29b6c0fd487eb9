import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  serviceFolder,
  startBreakablePostgres,
  type BreakableService,
} from '#scripts/lab/breakable-services.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import type { LabProcess } from '#scripts/lab/start-process.ts'
import { startServer, startWorker } from '#scripts/lab/start-product.ts'
import { migrateDatabase } from '#scripts/migrate-database.ts'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '#scripts/services/throw-away-folder.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'

let folder: string
let postgres: BreakableService
let environment: LabEnvironment
beforeAll(async () => {
  folder = await makeThrowAwayFolder('stop-limit')
  postgres = await startBreakablePostgres(await serviceFolder(folder, 'postgresql'))
  await migrateDatabase(postgres.url)
  environment = await createTestEnvironment({ DATABASE_URL: postgres.url, LOG_LEVEL: 'info' })
})
afterAll(async () => {
  await postgres.stop()
  await environment.close()
  await removeThrowAwayFolder(folder, 'postgresql/postgres')
})

/** Stops the process; returns its status (none if it had to be killed) and its output about the end. */
async function stop(victim: LabProcess) {
  const status = await victim.stop()
  const lines = victim.output().trim().split('\n')
  const errors = lines
    .map((line) => JSON.parse(line) as { level: number; msg: string })
    .filter(({ level, msg }) => level >= 50 && msg.includes('stop'))
  return { status, errors }
}

test('server and worker exit with 1 in time while PostgreSQL is frozen, and one line names what hung', async () => {
  const victims = await Promise.all([startServer(environment.env), startWorker(environment.env)])
  await postgres.freeze()
  const [server, worker] = await Promise.all(victims.map(stop))
  await postgres.thaw()

  const line = (msg: RegExp) => ({
    status: 1,
    errors: [expect.objectContaining({ msg: expect.stringMatching(msg) as string }) as unknown],
  })
  expect(server).toEqual(line(/^server did not stop within 15 s and ends all the same; hung: PostgreSQL$/))
  // A chore may have been running or idle.
  expect(worker).toEqual(line(/^worker did not stop within 35 s .*; hung: .*(PostgreSQL|chores)/))
}, 90_000)
