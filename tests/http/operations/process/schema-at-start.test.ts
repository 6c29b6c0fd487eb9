import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { listMigrationFiles } from '#core/migrations.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { runScript } from '#scripts/lab/run-script.ts'
import { findProgram, startServer, startWorker } from '#scripts/lab/start-product.ts'
import { startProcess } from '#scripts/lab/start-process.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { createEarlierDatabase, type EarlierDatabase } from '#tests/support/services/earlier-database.ts'
import { openDatabase } from '#core/data/database.ts'

const PROCESSES = ['server', 'worker'] as const

let environment: LabEnvironment
/** A database as the previous release left it. */
let behind: EarlierDatabase
beforeAll(async () => {
  environment = await createTestEnvironment()
  behind = await createEarlierDatabase(listMigrationFiles().at(-1)?.name ?? '')
})
afterAll(async () => {
  await behind.drop()
  await environment.close()
})

/** Starts a process that must refuse to start; returns its output and exit. */
async function startRefused(
  name: (typeof PROCESSES)[number],
  variables: Record<string, string>,
): Promise<string> {
  const order = {
    script: findProgram(name),
    env: { ...environment.env, PORT: '0', LOG_LEVEL: 'info', ...variables },
  }
  const started = startProcess({ ...order, isReady: (output) => / ready"/.test(output) })
  return await started.then(
    async (running) => {
      await running.stop()
      return `It started\n${running.output()}`
    },
    (error: unknown) => String(error),
  )
}

describe('on the schema of the previous release', () => {
  test.for(PROCESSES)('%s exits with 1, names the command to run, and writes no file', async (name) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-start-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const dataDir = path.join(folder, 'data')
    const variables = { DATABASE_URL: behind.url, SECRETS_KEY: '', DATA_DIR: dataDir }
    const output = await startRefused(name, variables)

    expect(output).toContain('It ended with 1')
    expect(output).toContain('DATABASE_URL: the database lacks 1 migration(s); run `npm run migrate`')
    expect(existsSync(dataDir)).toBe(false)
  })

  test('npm run grant-admin changes nothing, and names the same command', async () => {
    const { code, output } = await runScript({
      script: 'scripts/grant-admin.ts',
      args: ['ada@example.com'],
      env: { DATABASE_URL: behind.url },
    })
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('the database lacks 1 migration(s); run `npm run migrate`') as string,
    })
  })
})

describe('on the schema of the next release', () => {
  let ahead: LabEnvironment
  beforeAll(async () => {
    ahead = await createTestEnvironment()
    const { db, close } = openDatabase({ url: ahead.databaseUrl, poolSize: 1, name: 'test' }, () => undefined)
    await sql`
      insert into kysely_migration (name, timestamp) values ('29991231000000-from-a-later-release', now()::text)`.execute(
      db,
    )
    await close()
  })
  afterAll(() => ahead.close())

  test.for([
    ['server', startServer],
    ['worker', startWorker],
  ] as const)('an older %s starts', async ([, start]) => {
    const older = await start(ahead.env)
    expect(await older.stop()).toBe(0)
  })

  test('an older npm run migrate changes nothing, so that a release can be reverted', async () => {
    const env = { DATABASE_URL: ahead.databaseUrl }
    const { code, output } = await runScript({ script: 'scripts/migrate.ts', env })
    expect({ code, output }).toEqual({ code: 0, output: 'The database is up to date\n' })
  })
})

describe('without SECRETS_KEY', () => {
  test.for(PROCESSES)(
    '%s creates no key if the database has secrets of another key, and writes no file',
    async (name) => {
      const first = await startWorker(environment.env)
      expect(await first.stop()).toBe(0)
      const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-start-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const dataDir = path.join(folder, 'data')
      const output = await startRefused(name, { SECRETS_KEY: '', DATA_DIR: dataDir })

      expect(output).toContain('SECRETS_KEY: is required')
      expect(existsSync(dataDir)).toBe(false)
    },
  )

  test('server and worker that start together on one DATA_DIR use the same new key', async () => {
    const fresh = await createTestEnvironment({ SECRETS_KEY: '' })
    onTestFinished(() => fresh.close())
    const [server, worker] = await Promise.all([startServer(fresh.env), startWorker(fresh.env)])
    expect(await Promise.all([server.stop(), worker.stop()])).toEqual([0, 0])
    expect(existsSync(path.join(fresh.env['DATA_DIR'] ?? '', 'secrets-key'))).toBe(true)
  })
})
