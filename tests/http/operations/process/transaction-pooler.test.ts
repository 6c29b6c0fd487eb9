// Runs behind a real PgBouncer, whose sessions change with each transaction: Debian 12's, without prepared statements
// in this mode, or a newer one with them, whichever is on PATH. Skipped without PgBouncer.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError, loadConfig } from '#core/config/config.ts'
import { addressOf } from '#core/data/connection/address.ts'
import { openDatabase } from '#core/data/database.ts'
import { readSessionSettings } from '#core/data/read-session-settings.ts'
import { listSettings } from '#core/data/session-settings.ts'
import { prepareStart } from '#core/prepare-start.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { migrateDatabase } from '#scripts/migrate-database.ts'
import { runScript } from '#scripts/lab/run-script.ts'
import { administer } from '#scripts/services/test-services.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { givenImport, writeLeads } from '#tests/support/given/imports.ts'
import { setOddDefaults } from '#tests/support/services/odd-defaults.ts'
import { hasPooler, prepares, startPooler } from '#scripts/chaos/deployment/start-pooler.ts'
import { listenToChanges } from '../../support/listen-to-changes.ts'
import { SEEDED, startFlow } from './start-flow.ts'

const LEADS = 120
const IMPORTED = 50

describe.skipIf(!(await hasPooler()))('behind a transaction pooler', () => {
  let environment: LabEnvironment
  beforeAll(async () => {
    environment = await createTestEnvironment(SEEDED)
    const database = new URL(environment.databaseUrl).pathname.slice(1)
    await setOddDefaults(environment.databaseUrl, database)
    // PostgreSQL would end the pooler's idle sessions while it hands them out.
    await administer(environment.databaseUrl, `alter database ${database} set idle_session_timeout = 0`)
  })
  afterAll(async () => {
    await environment.close()
  })

  const refusal = async (start: Promise<unknown>): Promise<string> =>
    await start.then(
      () => 'It started',
      (error: unknown) =>
        error instanceof ConfigError ? error.message : `Not for its configuration: ${String(error)}`,
    )

  test.for([
    { passes: 'refuses start-up parameters', settings: [] },
    { passes: 'drops start-up parameters', settings: ['ignore_startup_parameters = options'] },
  ])('a pooler that $passes is recognised, and each transaction has our settings', async ({ settings }) => {
    const pooler = await startPooler(environment.databaseUrl, settings)
    onTestFinished(pooler.stop)

    for (const kind of ['plain', 'by_key', 'in_line'] as const) {
      const { db, close } = openDatabase(
        {
          url: pooler.url,
          poolSize: 3,
          name: 'test',
          byKey: kind !== 'plain',
          inLine: kind === 'in_line',
        },
        () => undefined,
      )
      onTestFinished(close)
      const wanted = listSettings(kind)
      const read = () => readSessionSettings(db, Object.keys(wanted))
      const [alone, inTransaction] = await Promise.all([
        read(),
        db.transaction().execute((trx) => readSessionSettings(trx, Object.keys(wanted))),
        ...Array.from({ length: 20 }, read),
      ])
      for (const session of [alone, inTransaction])
        for (const [name, value] of Object.entries(session.settings))
          expect([kind, name, value ?? wanted[name]]).toEqual([kind, name, wanted[name]])
    }
    expect(addressOf(pooler.url).pooler?.prepares).toBe(await prepares())
  })

  test('a migration and a direct URL that lead to a pooler are refused, with the reason', async () => {
    const pooler = await startPooler(environment.databaseUrl)
    onTestFinished(pooler.stop)

    expect(await refusal(migrateDatabase(pooler.url))).toContain(
      'set DATABASE_DIRECT_URL to PostgreSQL itself',
    )
    const variables = { ...environment.env, DATABASE_DIRECT_URL: pooler.url }
    expect(await refusal(prepareStart(loadConfig(variables)))).toContain(
      'DATABASE_DIRECT_URL: a transaction pooler answers there',
    )
    const { stdout } = await runScript({
      script: 'scripts/leadwire.ts',
      args: ['doctor'],
      env: { ...environment.env, DATABASE_URL: pooler.url },
    })
    expect(stdout).toMatch(/doubtful +Sessions +a transaction pooler answers at the direct address/)
  })

  test('leads, an import, an export and told changes arrive, although the pooler is killed meanwhile', async () => {
    const pooler = await startPooler(environment.databaseUrl)
    onTestFinished(pooler.stop)
    const flow = await startFlow({
      ...environment.env,
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: environment.databaseUrl,
    })
    onTestFinished(flow.stop)
    const { call, token, owner } = flow
    const heard = await listenToChanges(flow.server.url, token)
    await flow.post(0, LEADS / 2)
    await waitUntil(() => heard.count() > 0, { what: 'A told change' })
    heard.hangUp()

    const direct = openDatabase({ url: environment.databaseUrl, poolSize: 2, name: 'test' }, () => undefined)
    onTestFinished(direct.close)
    const imported = await givenImport(direct.db, writeLeads(IMPORTED), { owner, by: owner })
    await waitUntil(imported.start, { what: 'The file to be read' })
    const later = flow.post(LEADS / 2, LEADS / 2)
    await pooler.restart()
    await later

    const stored = LEADS + (IMPORTED * 9) / 10
    await flow.arrived(stored)
    const asked = await call('POST', '/api/v1/exports', { kind: 'leads', filters: {} }, token)
    const path = `/api/v1/exports/${String(asked.json['id'])}`
    const isMade = async () => (await call('GET', path, undefined, token)).json['state'] === 'done'
    await waitUntil(isMade, { what: 'The export' })
    expect((await call('GET', path, undefined, token)).json['rows_done']).toBe(stored)
  })
})
