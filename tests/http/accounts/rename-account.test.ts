import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const rename = (token: string, name: unknown) => app.call('PATCH', '/api/v1/me', { token, body: { name } })

test('a user can change the account’s name, without markup, and the audit log records the change', async () => {
  const client = await app.newClient()
  const { status, json } = await rename(client.token, '  Robin <b>Sample</b> ')
  expect(status).toBe(200)
  expect(json).toMatchObject({ user_id: client.id, name: 'Robin bSample/b' })
  const rows = await app.context.db
    .selectFrom('auth.audit_log')
    .select(['action', 'details'])
    .where('user_id', '=', client.id)
    .where('action', '=', 'user_updated')
    .execute()
  expect(rows).toEqual([{ action: 'user_updated', details: { changed: 'name' } }])
})

test.each([
  ['nothing', ''],
  ['only spaces', '   '],
  ['nothing but markup', '<<>>'],
  ['a long text', 'x'.repeat(121)],
  ['half of a character', 'Robin \ud83d'],
  ['a NUL', 'Robin \0'],
  ['no text', 7],
])('refuses %s as a name', async (_what, name) => {
  const client = await app.newClient()
  const { status, json } = await rename(client.token, name)
  expect(status).toBe(422)
  expect(json).toMatchObject({ code: 'validation_failed', errors: [{ path: 'name' }] })
})

test('a change of the name ignores all other fields', async () => {
  const client = await app.newClient()
  const body = { name: 'Robin', role: 'admin', balance: '900.00', status: 'suspended' }
  const { json } = await app.call('PATCH', '/api/v1/me', { token: client.token, body })
  expect(json).toMatchObject({ name: 'Robin', role: 'client', balance: '0.00', status: 'active' })
})

test('the account tells whether it has a password', async () => {
  const { id, token } = await app.newClient()
  const read = () => app.call('GET', '/api/v1/me/password', { token })
  expect((await read()).json).toEqual({ is_set: true })
  await app.context.db.updateTable('auth.users').set({ password_hash: null }).where('id', '=', id).execute()
  expect((await read()).json).toEqual({ is_set: false })
})
