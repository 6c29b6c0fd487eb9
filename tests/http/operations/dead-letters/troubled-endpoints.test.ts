import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'
import { givenConfig, givenDeadLetter } from './give-dead-letter.ts'

let app: TestApp
let ada: Person
let ben: Person
beforeAll(async () => {
  app = await startApp()
  ada = await app.newClient()
  ben = await app.newClient()
})
afterAll(() => app.close())

test('failing endpoints are shown with their breaker and their waiting deliveries, as their clients see them', async () => {
  const { db } = app.context
  const config = await givenConfig(app, ada)
  const switchedOff = await givenConfig(app, ada)
  const losing = await givenConfig(app, ada)
  await givenConfig(app, ben)
  const since = new Date(Date.now() - 120_000)
  const earlier = new Date(Date.now() - 180_000)
  await db
    .insertInto('webhook_endpoint_health')
    .values([
      { webhook_config_id: config, breaker: 'open', failures_in_row: 12, failing_since: since },
      { webhook_config_id: switchedOff, failures_in_row: 1, failing_since: earlier },
      { webhook_config_id: losing, failures_in_row: 1, failing_since: since },
    ])
    .execute()
  await givenDeadLetter(app, ada, { config: losing })
  const planned = await givenDeadLetter(app, ada, { config })
  await sql`
    update webhook_deliveries set state = 'pending', finished_at = null, failure_class = null, next_attempt_at = now() + interval '1 hour'
    where id = ${planned}`.execute(db)
  await sql`
    update client_webhook_configs set is_active = false, disabled_reason = 'Gone', disabled_at = now()
    where id = ${switchedOff}`.execute(db)

  const { json } = await app.call('GET', '/api/v1/admin/endpoints', { token: app.admin.token })
  const own = await app.call('GET', '/api/v1/webhook-configs/health', { token: ada.token })

  expect(json.data[0]).toMatchObject({
    webhook_config_id: config,
    endpoint_host: 'crm.example.com:8443',
    standing: 'failing',
    breaker: 'open',
    failures_in_row: 12,
    held: 0,
  })
  const told = [
    { webhook_config_id: config, standing: 'failing', waiting: 1, waiting_more: false },
    { webhook_config_id: switchedOff, standing: 'switched_off', waiting: 0, waiting_more: false },
    { webhook_config_id: losing, standing: 'failing', waiting: 0, waiting_more: false },
  ]
  expect(json.data).toMatchObject(told)
  expect(own.json.data.slice(0, 3)).toMatchObject(told.toReversed())
})
