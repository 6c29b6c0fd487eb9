import { afterAll, beforeAll, expect, test } from 'vitest'
import { serviceKeySchema, type ServiceKey } from '#core/contract/accounts/service-key.ts'
import { insertServiceKey, UNLISTED_KEYS } from '#core/data/accounts/service-keys.ts'
import { issuerOf } from '#server/identity/access-token.ts'
import { signServiceToken } from '#server/identity/sign-service-token.ts'
import { readAudit } from '../../market/read-audit.ts'
import { startApp, type TestApp } from '../../support/start-app.ts'
import { serviceKey } from './administer.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const KEYS = '/api/v1/admin/service-keys'
const reason = 'The program was replaced'
const list = async (): Promise<ServiceKey[]> =>
  serviceKeySchema.array().parse((await app.call('GET', KEYS, { token: app.admin.token })).json.data)
const revoke = async (id: string, body: unknown = { reason }) =>
  (await app.call('POST', `${KEYS}/${id}/revoke`, { token: app.admin.token, body })).status
/** The status of an administrator's call with a key. */
const useKey = async (token: string): Promise<number> => {
  const headers = { Authorization: `Bearer ${token}` }
  return (await fetch(`${app.url}/auth/v1/admin/users`, { headers })).status
}
const make = async (name: string) => {
  const { context } = app
  const id = await insertServiceKey(context.db, { name, days: 1 })
  const now = Math.floor(Date.now() / 1000)
  const order = { issuer: issuerOf(context), days: 1, now, keyId: id }
  return { id, token: await signServiceToken(context.identity.keys, order) }
}

test('a key is listed with its use, and ends alone', async () => {
  const [first, second] = [await make('Import'), await make('Reports')]
  expect((await list()).slice(0, 2)).toMatchObject([
    { id: second.id, program: 'Reports', is_listed: true, last_used_at: null, revoked_at: null },
    { id: first.id, program: 'Import', last_used_at: null },
  ])
  expect([await useKey(first.token), await useKey(second.token)]).toEqual([200, 200])
  const [, used] = await list()
  expect(Date.parse(used?.last_used_at ?? '')).toBeGreaterThan(Date.now() - 60_000)

  expect(await revoke(first.id, {})).toBe(422)
  expect([await revoke(first.id), await revoke(first.id)]).toEqual([204, 204])
  expect([await useKey(first.token), await useKey(second.token)]).toEqual([403, 200])
  const rows = await readAudit(app, 'service_key_revoked')
  expect(rows).toMatchObject([
    { actor: 'admin', actor_id: app.admin.id, details: { service_key_id: first.id, note: reason } },
  ])
})

test('keys that are not listed stay valid until all of them are revoked together', async () => {
  const [old, other] = [await serviceKey(app.context), await make('Import')]
  expect(await useKey(old)).toBe(200)
  expect((await list()).at(-1)).toMatchObject({ id: UNLISTED_KEYS, is_listed: false, expires_at: null })
  expect(await revoke(UNLISTED_KEYS)).toBe(204)
  expect([await useKey(old), await useKey(other.token)]).toEqual([403, 200])
})

test('a key whose row is gone, or that names no row, is refused', async () => {
  const { context } = app
  const now = Math.floor(Date.now() / 1000)
  for (const keyId of ['01900000-0000-7000-8000-000000000000', 'no id']) {
    const order = { issuer: issuerOf(context), days: 1, now, keyId }
    expect(await useKey(await signServiceToken(context.identity.keys, order))).toBe(403)
  }
})

test('only owners see keys and end them', async () => {
  const client = await app.newClient()
  for (const [method, path, body] of [
    ['GET', KEYS, undefined],
    ['POST', `${KEYS}/${UNLISTED_KEYS}/revoke`, { reason }],
  ] as const)
    expect((await app.call(method, path, { token: client.token, body })).status).toBe(403)
  expect(await revoke('01900000-0000-7000-8000-000000000000')).toBe(404)
})
