import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  madeServiceKeySchema,
  serviceKeySchema,
  type ServiceKey,
} from '#core/contract/accounts/service-key.ts'
import { UNLISTED_KEYS } from '#core/data/accounts/service-keys.ts'
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
const post = async (body: unknown, token = app.admin.token) => await app.call('POST', KEYS, { token, body })
const make = async (program: string) => {
  const { status, json } = await post({ program, days: 1, reason: 'It imports people' })
  expect(status).toBe(201)
  const { id, key } = madeServiceKeySchema.parse(json)
  return { id, token: key }
}

test('a key is shown once, and later by its ending; the audit log keeps the reason', async () => {
  const { status, json } = await post({ program: '  Import ', reason: 'It imports people' })
  const { key, ...listed } = madeServiceKeySchema.parse(json)
  expect({ status, used: await useKey(key) }).toEqual({ status: 201, used: 200 })
  expect(listed).toMatchObject({ program: 'Import', key_ending: key.slice(-4), is_listed: true })
  expect((Date.parse(listed.expires_at ?? '') - Date.parse(listed.created_at)) / 86_400_000).toBeCloseTo(
    90,
    2,
  )
  const [first] = (await app.call('GET', KEYS, { token: app.admin.token })).json.data
  expect(first).toMatchObject({ id: listed.id, key_ending: listed.key_ending })
  expect(JSON.stringify(first)).not.toContain(key)
  expect(await readAudit(app, 'service_key_made')).toMatchObject([
    {
      actor: 'admin',
      actor_id: app.admin.id,
      details: { service_key_id: listed.id, days: 90, note: 'It imports people' },
    },
  ])
})

test.each([
  [{ program: ' ', reason }, 'program'],
  [{ program: 'Import', days: 3651, reason }, 'days'],
  [{ program: 'Import', days: 1.5, reason }, 'days'],
  [{ program: 'Import' }, 'reason'],
])('a key is not made of %j', async (body, path) => {
  const { status, json } = await post(body)
  expect({ status, path: json.errors[0]?.path }).toEqual({ status: 422, path })
})

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

test('only owners see keys, make and end them', async () => {
  const client = await app.newClient()
  for (const [method, path, body] of [
    ['GET', KEYS, undefined],
    ['POST', KEYS, { program: 'Import', reason }],
    ['POST', `${KEYS}/${UNLISTED_KEYS}/revoke`, { reason }],
  ] as const)
    expect((await app.call(method, path, { token: client.token, body })).status).toBe(403)
  expect(await revoke('01900000-0000-7000-8000-000000000000')).toBe(404)
})
