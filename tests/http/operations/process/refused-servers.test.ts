import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '#core/config/config.ts'
import { prepareStart } from '#core/prepare-start.ts'
import { judgeServer } from '#core/require-session-settings.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { findProgram } from '#scripts/lab/start-product.ts'
import { migrateDatabase } from '#scripts/migrate-database.ts'
import { runScript } from '#scripts/lab/run-script.ts'
import { administer, databaseNamed, dropDatabase } from '#scripts/services/test-services.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'

let environment: LabEnvironment
beforeAll(async () => {
  environment = await createTestEnvironment()
})
afterAll(() => environment.close())

describe.each(['LATIN1', 'SQL_ASCII'])('a database with the encoding %s', (encoding) => {
  const name = `leadwire_encoding_${randomBytes(4).toString('hex')}`
  beforeAll(() =>
    administer(
      environment.databaseUrl,
      `create database ${name} encoding '${encoding}' locale_provider libc locale 'C' template template0`,
    ),
  )
  afterAll(() => dropDatabase(environment.databaseUrl, name))

  const variables = () => ({
    ...environment.env,
    PORT: '0',
    DATABASE_URL: databaseNamed(environment.databaseUrl, name),
  })

  test('is refused with its name at every start, and by a migration', async () => {
    const fault = `DATABASE_URL: the database has the encoding ${encoding}`
    const config = loadConfig(variables())

    await expect(prepareStart(config)).rejects.toThrow(fault)
    await expect(migrateDatabase(config.database.url)).rejects.toThrow(fault)
  })

  test.runIf(encoding === 'LATIN1')('stops a worker before it is ready, with one line', async () => {
    const { code, stderr } = await runScript({ script: findProgram('worker'), env: variables() })

    expect(code).toBe(1)
    expect(stderr).toContain(`DATABASE_URL: the database has the encoding ${encoding}`)
  })
})

test('a server older than PostgreSQL 15 is refused with its version', () => {
  expect(judgeServer({ version: 140_019, encoding: 'UTF8' })).toEqual([
    'PostgreSQL is version 14; 15 or newer is needed',
  ])
  expect(judgeServer({ version: 150_000, encoding: 'UTF8' })).toEqual([])
})
