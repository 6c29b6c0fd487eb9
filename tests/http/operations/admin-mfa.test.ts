import { AuthClient } from '@supabase/auth-js'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiRoutes } from '#server/api-routes.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { enrollTotp } from '../accounts/factors/enroll-totp.ts'
import { showCode } from '../accounts/factors/totp-app.ts'
import { newLead, startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ AUTH_ADMIN_MFA: '1' })
})
afterAll(() => app.close())

const closedToMost = apiRoutes.filter(({ who }) => who === 'admin')
const ANY_ID = '00000000-0000-4000-8000-000000000000'

/** Sets the assurance level of the administrator's session. */
async function setLevel(aal: 'aal1' | 'aal2'): Promise<void> {
  await app.context.db
    .updateTable('auth.sessions')
    .set({ aal })
    .where('id', '=', String(decodeJwt(app.admin.token)['session_id']))
    .execute()
}

describe('an administrator without a second factor', () => {
  test.each(closedToMost.map(({ method, path }) => [method.toUpperCase(), path] as const))(
    'is refused at %s %s, and told to set up a factor',
    async (method, path) => {
      await setLevel('aal1')

      const { status, json } = await app.call(method, path.replace(':id', ANY_ID), { token: app.admin.token })

      expect(status).toBe(403)
      expect(json).toMatchObject({
        code: 'mfa_required',
        title: 'A second factor is needed',
        detail:
          'Administrators need a second factor. Set one up in Settings, or enter its code, then try again.',
      })
    },
  )

  test('cannot open the queue dashboard, by bearer or by an older cookie', async () => {
    await setLevel('aal2')
    const made = await app.call('POST', '/api/v1/admin/queues-session', { token: app.admin.token })
    const [cookie = ''] = (made.headers.get('set-cookie') ?? '').split(';')
    expect((await app.call('GET', '/admin/queues', { headers: { cookie } })).status).toBe(200)

    await setLevel('aal1')

    expect((await app.call('GET', '/admin/queues', { headers: { cookie } })).status).toBe(403)
    const page = await app.call('GET', '/admin/queues', { token: app.admin.token })
    expect(page.status).toBe(403)
    expect(page.text).toContain('Administrators need a second factor.')
  })

  test('cannot read a client’s lead as an administrator', async () => {
    await setLevel('aal2')
    const owner = await app.newClient()
    const source = await app.newSource({ owner })
    const lead = await app.call('POST', '/api/v1/leads', { token: source.key, body: newLead() })
    const path = `/api/v1/leads/${lead.json.lead_id}`
    expect((await app.call('GET', path, { token: app.admin.token })).status).toBe(200)

    await setLevel('aal1')

    expect((await app.call('GET', path, { token: app.admin.token })).status).toBe(404)
  })

  test('can still read the own account, so that a screen can continue', async () => {
    await setLevel('aal1')
    const { status, json } = await app.call('GET', '/api/v1/me', { token: app.admin.token })

    expect({ status, json }).toMatchObject({ status: 200, json: { role: 'admin' } })
  })
})

describe('an administrator with a second factor', () => {
  test('can set the factor up on the screens, and has access from the next request', async () => {
    // A first factor ends other sessions at aal1; this one must stay.
    await setLevel('aal2')
    const client = new AuthClient({
      url: `${app.url}/auth/v1`,
      autoRefreshToken: false,
      persistSession: false,
    })
    const signedIn = await client.signInWithPassword({ email: app.admin.email, password: PASSWORD })
    const before = signedIn.data.session?.access_token
    const read = (token: string | undefined) => app.call('GET', '/api/v1/admin/sources', { token })
    expect((await read(before)).json.code).toBe('mfa_required')

    const { factorId, secret } = await enrollTotp(client)
    const { data, error } = await client.mfa.challengeAndVerify({ factorId, code: showCode(secret) })

    expect(error).toBeNull()
    expect((await read(data?.access_token)).status).toBe(200)
    // The level belongs to the session and not to the token: the session's old token has it too.
    expect((await read(before)).status).toBe(200)
    await client.mfa.unenroll({ factorId })
    expect((await read(data?.access_token)).json.code).toBe('mfa_required')
  })

  test('has access', async () => {
    await setLevel('aal2')

    expect((await app.call('GET', '/api/v1/admin/sources', { token: app.admin.token })).status).toBe(200)
    expect((await app.call('GET', '/admin/queues', { token: app.admin.token })).status).toBe(200)
  })
})

test('a client is told that they are no administrator, not that a factor is missing', async () => {
  const client = await app.newClient()
  const { json } = await app.call('GET', '/api/v1/admin/sources', { token: client.token })

  expect(json.code).toBe('forbidden')
})
