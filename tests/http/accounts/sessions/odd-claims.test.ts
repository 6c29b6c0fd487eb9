import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../../support/start-app.ts'
import { claimsOf } from './forge-token.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Signs claims with the service's key, as a program does that makes its own tokens with wrong claims. */
const sign = async (claims: Record<string, unknown>): Promise<string> => {
  const { alg, kid, privateKey } = app.context.identity.keys.signing
  return await new SignJWT(claims).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(privateKey)
}

/** Returns every API's status for the token; for the dashboard also for the cookie. */
const knockEverywhere = async (claims: Record<string, unknown>) => {
  const token = await sign(claims)
  const cookie = `leadwire_queues=${await sign({ ...claims, aud: 'queues', iss: app.url })}`
  const knock = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const { status, json } = await app.call(method, path, {
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(method === 'GET' ? {} : { body: {} }),
    })
    return `${status} ${json.code ?? ''}`.trim()
  }
  const wire = { 'X-Supabase-Api-Version': '2024-01-01' }
  return await Promise.all([
    knock('GET', '/api/v1/leads'),
    knock('POST', '/api/v1/leads'),
    knock('GET', '/api/v1/admin/sources'),
    knock('POST', '/functions/v1/test-webhook-endpoint'),
    knock('GET', '/admin/queues'),
    knock('GET', '/admin/queues', { cookie }),
    knock('GET', '/auth/v1/user', wire),
    knock('POST', '/auth/v1/factors', wire),
    knock('GET', '/auth/v1/admin/users', wire),
  ])
}
/** The authentication service answers 403 to every unreadable token. */
const REFUSED = [
  '401 invalid_token',
  '401 invalid_token',
  '401 invalid_token',
  '401 invalid_token',
  // The queue dashboard answers with HTML, so there is no error code.
  '401',
  '401',
  '403 bad_jwt',
  '403 bad_jwt',
  '403 bad_jwt',
]

describe.each(['sub', 'session_id'])('a token whose %s is not text', (name) => {
  test.each(['a number', 'a list of one', 'an object', 'null', 'a truth'])(
    'is refused by every API if it is %s',
    async (kind) => {
      const claims = claimsOf(app.admin.token)
      const odd: Record<string, unknown> = {
        'a number': 7,
        'a list of one': [claims[name]],
        'an object': { toString: claims[name] },
        null: null,
        'a truth': true,
      }
      expect(await knockEverywhere({ ...claims, [name]: odd[kind] })).toEqual(REFUSED)
    },
  )

  test('is refused if it acts for the service itself', async () => {
    const { exp } = claimsOf(app.admin.token)
    const token = await sign({ role: 'service_role', exp, [name]: 7 })
    const { status } = await app.call('GET', '/auth/v1/admin/users', { token })
    expect(status).toBe(403)
  })
})
