import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'

let app: TestApp
let client: Person
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
})
afterAll(async () => {
  await app.close()
})

const PATH = '/api/v1/webhook-configs'
const create = async (name: string) =>
  (
    await app.call('POST', PATH, {
      token: client.token,
      body: { webhook_name: name, endpoint_url: 'https://crm.example.com/hook' },
    })
  ).json.id

test.each([
  ['a success rule', 'success_rule', '{"accepted": {"where": "body"}}'],
  ['custom headers', 'custom_headers', '{"X-Source": 5}'],
  ['authentication', 'authentication', '{"type": "kerberos"}'],
] as const)('an invalid %s hides only its own configuration', async (_what, column, stored) => {
  const [good, bad] = [await create('Good'), await create('Bad')]
  const { secrets, db } = app.context
  const row = {
    [column]:
      column === 'authentication' ? secrets.seal('client_webhook_configs.authentication', stored) : stored,
  }
  await db.updateTable('client_webhook_configs').set(row).where('id', '=', bad).execute()

  const list = await app.call('GET', PATH, { token: client.token })
  const ids = list.json.data.map(({ id }) => id)
  expect(list.status).toBe(200)
  expect([ids.includes(good), ids.includes(bad)]).toEqual([true, false])
  expect((await app.call('GET', `${PATH}/${good}`, { token: client.token })).status).toBe(200)
  const failed = await app.call('GET', `${PATH}/${bad}`, { token: client.token })
  expect([failed.status, failed.json.code]).toEqual([500, 'internal_error'])
  await sql`delete from client_webhook_configs where id in (${good}, ${bad})`.execute(db)
})
