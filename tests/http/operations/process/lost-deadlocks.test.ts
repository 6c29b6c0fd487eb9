import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'

let app: TestApp
let client: Person
let config: string
beforeAll(async () => {
  app = await startApp()
  client = await app.newClient()
  const { json } = await app.call('POST', '/api/v1/webhook-configs', {
    token: client.token,
    body: {
      webhook_name: 'CRM',
      endpoint_url: 'https://crm.example.com/',
      payload_template: { a: '{{name}}' },
    },
  })
  config = json.id
})
afterAll(() => app.close())

/** Makes the next changes of a table's rows fail as PostgreSQL ends the loser of a deadlock. */
async function loseDeadlocks(table: string, on: 'update' | 'delete', times: number): Promise<void> {
  const { db } = app.context
  await sql`drop sequence if exists losses cascade`.execute(db)
  await sql`create sequence losses`.execute(db)
  await sql`
    create or replace function lose_deadlock() returns trigger language plpgsql as $$
    begin
      if nextval('losses') <= ${sql.lit(times)} then
        raise exception 'deadlock detected' using errcode = '40P01';
      end if;
      return coalesce(new, old);
    end $$`.execute(db)
  await sql`
    create or replace trigger lose_deadlock before ${sql.raw(on)} on ${sql.table(table)}
    for each row execute function lose_deadlock()`.execute(db)
}

test.each([
  ['a change of a webhook', 'update', 'PATCH', '', { webhook_name: 'Other' }, 200],
  ['the rotation of a secret', 'update', 'POST', '/secret/rotate', undefined, 200],
  ['the deletion of a webhook', 'delete', 'DELETE', '', undefined, 204],
] as const)('%s that loses a deadlock is retried', async (_what, on, method, path, body, status) => {
  await loseDeadlocks('client_webhook_configs', on, 2)

  const answer = await app.call(method, `/api/v1/webhook-configs/${config}${path}`, {
    token: client.token,
    body,
  })
  expect(answer.status).toBe(status)
})

test('the deletion of an account that loses a deadlock is retried', async () => {
  const { id } = await app.newClient()
  await loseDeadlocks('auth.users', 'delete', 2)

  const answer = await app.call('DELETE', `/auth/v1/admin/users/${id}`, { token: app.admin.token })
  expect(answer.status).toBe(200)
})

test('a caller that loses every deadlock is asked to retry later', async () => {
  const { json } = await app.call('POST', '/api/v1/webhook-configs', {
    token: client.token,
    body: {
      webhook_name: 'CRM',
      endpoint_url: 'https://crm.example.com/',
      payload_template: { a: '{{name}}' },
    },
  })
  await loseDeadlocks('client_webhook_configs', 'update', 1000)

  const answer = await app.call('PATCH', `/api/v1/webhook-configs/${json.id}`, {
    token: client.token,
    body: { webhook_name: 'Other' },
  })
  expect({ status: answer.status, code: answer.json.code, after: answer.headers.get('retry-after') }).toEqual(
    {
      status: 503,
      code: 'unavailable',
      after: '2',
    },
  )
})
