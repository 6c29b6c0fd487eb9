// Runs behind a real PgBouncer, whose sessions change with each transaction; skipped without PgBouncer 1.21
// or later.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError, loadConfig } from '#core/config/config.ts'
import { prepareStart } from '#core/prepare-start.ts'
import type { LabEnvironment } from '#scripts/lab/create-environment.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { startServer, startWorker } from '#scripts/lab/start-product.ts'
import { migrateDatabase } from '#scripts/migrate-database.ts'
import { administer } from '#scripts/services/test-services.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { createTestEnvironment } from '#tests/support/given/environment.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { setOddDefaults } from '#tests/support/services/odd-defaults.ts'
import { hasPooler, startPooler, type Pooler } from '#tests/support/services/pooler.ts'

const EMAIL = 'admin@example.com'
const ROLE = `leadwire_${randomBytes(4).toString('hex')}`
const ROLES = { [ROLE]: 'plain-word', [`${ROLE}_by_key`]: 'key-word', [`${ROLE}_in_line`]: 'line-word' }

describe.skipIf(!(await hasPooler()))('behind a transaction pooler', () => {
  let environment: LabEnvironment
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver(200)
    environment = await createTestEnvironment({ SEED_ADMIN_EMAIL: EMAIL, SEED_ADMIN_PASSWORD: PASSWORD })
    const { databaseUrl } = environment
    const owner = new URL(databaseUrl).username
    await setOddDefaults(databaseUrl, new URL(databaseUrl).pathname.slice(1))
    // docs/operations/README.md names these settings.
    for (const [role, password] of Object.entries(ROLES)) {
      await administer(databaseUrl, `create role ${role} login password '${password}' in role ${owner}`)
      await administer(databaseUrl, `alter role ${role} set role = ${owner}`)
    }
  })
  afterAll(async () => {
    await receiver.close()
    const { databaseUrl } = environment
    await environment.close()
    const server = new URL(databaseUrl)
    server.pathname = '/postgres'
    for (const role of Object.keys(ROLES)) await administer(server.href, `drop role ${role}`)
  })

  const refusal = async (start: Promise<unknown>): Promise<string> =>
    await start.then(
      () => 'It started',
      (error: unknown) =>
        error instanceof ConfigError ? error.message : `Not for its configuration: ${String(error)}`,
    )

  const addressesAt = (pooler: Pooler): Record<string, string> => {
    const [plain = '', byKey = '', inLine = ''] = Object.entries(ROLES).map((role) => pooler.urlOf(...role))
    return { DATABASE_URL: plain, DATABASE_URL_BY_KEY: byKey, DATABASE_URL_IN_LINE: inLine }
  }
  const startBehind = async (pooler: Pooler, more: Record<string, string> = {}): Promise<string> => {
    const variables = { ...environment.env, ...addressesAt(pooler), ...more }
    return await refusal(prepareStart(loadConfig(variables)))
  }
  const WITHOUT_ROLES = { DATABASE_URL_BY_KEY: '', DATABASE_URL_IN_LINE: '' }

  test('a start that sets its own settings is refused, with a hint to set them by roles', async () => {
    const pooler = await startPooler(environment.databaseUrl, ROLES)
    onTestFinished(pooler.stop)

    expect(await startBehind(pooler, WITHOUT_ROLES)).toContain(
      'set DATABASE_URL_BY_KEY and DATABASE_URL_IN_LINE',
    )
  })

  test('a start names hidden settings of the pooler, and a migration is referred to PostgreSQL itself', async () => {
    const pooler = await startPooler(environment.databaseUrl, ROLES, ['ignore_startup_parameters = options'])
    onTestFinished(pooler.stop)

    expect(await startBehind(pooler, WITHOUT_ROLES)).toContain('bytea_output (escape)')
    const { DATABASE_URL = '' } = addressesAt(pooler)
    expect(await refusal(migrateDatabase(DATABASE_URL))).toContain('Migrate at PostgreSQL itself')
  })

  test('a start names the settings that each role lacks, and leads are delivered after the named commands', async () => {
    const unready = await startPooler(environment.databaseUrl, ROLES)
    const message = await startBehind(unready)
    await unready.stop()
    for (const variable of ['DATABASE_URL', 'DATABASE_URL_BY_KEY', 'DATABASE_URL_IN_LINE'])
      expect(message).toContain(`${variable}: these settings do not reach the session`)
    for (const command of message.match(/alter role .*;/g) ?? [])
      await administer(environment.databaseUrl, command)

    const pooler = await startPooler(environment.databaseUrl, ROLES)
    onTestFinished(pooler.stop)
    const variables = { ...environment.env, ...addressesAt(pooler) }
    const [server, worker] = await Promise.all([startServer(variables), startWorker(variables)])
    const ask = async (path: string, bearer: string | undefined, body: unknown) => {
      const response = await fetch(server.url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        },
        body: JSON.stringify(body),
      })
      return { status: response.status, json: (await response.json()) as Record<string, unknown> }
    }
    const session = await ask('/auth/v1/token?grant_type=password', undefined, {
      email: EMAIL,
      password: PASSWORD,
    })
    const token = String(session.json['access_token'])
    await ask('/api/v1/webhook-configs', token, {
      webhook_name: 'CRM',
      endpoint_url: receiver.url,
      trigger_on_lead_created: true,
      trigger_on_lead_assigned: false,
    })
    const source = await ask('/api/v1/admin/sources', token, { name: 'Page' })
    const key = String(source.json['api_key'])
    const posted = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        ask('/api/v1/leads', key, {
          lead_type: 'auto',
          name: 'Ana Example',
          email: `ana.${index}@example.com`,
          external_id: String(index),
        }),
      ),
    )
    expect(new Set(posted.map(({ status }) => status))).toEqual(new Set([201]))
    await waitUntil(() => receiver.requests.length >= 60, { what: 'Every delivery' })
    await Promise.all([worker.stop(), server.stop()])

    expect(receiver.requests).toHaveLength(60)
    expect(`${server.output()}${worker.output()}`).not.toMatch(/"level":"(warn|error|fatal)"|"level":[4-6]0/)
  })
})
