import { AuthClient } from '@supabase/auth-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { readToldMails } from '#tests/support/given/told-mails.ts'
import { enrollTotp } from '../factors/enroll-totp.ts'
import { showCode } from '../factors/totp-app.ts'
import { readAudit } from '../../market/read-audit.ts'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'
import { acceptRole } from './accept-role.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const reason = 'Agreed in the meeting'
const act = (method: string, path: string, body?: unknown, token = app.admin.token) =>
  app.call(method, `/api/v1/admin/people${path}`, { token, body })

/** A client who has set up an authenticator app; their session is raised by it. */
async function givenFactor(): Promise<Person & { client: InstanceType<typeof AuthClient>; secret: string }> {
  const person = await app.newClient()
  const client = new AuthClient({ url: `${app.url}/auth/v1`, autoRefreshToken: false, persistSession: false })
  await client.signInWithPassword({ email: person.email, password: PASSWORD })
  const { factorId, secret } = await enrollTotp(client)
  const { data } = await client.mfa.challengeAndVerify({ factorId, code: showCode(secret) })
  return { ...person, token: data?.access_token ?? '', client, secret }
}

describe('resetting a second factor', () => {
  test('removes factors and recovery codes, ends the sessions within a second, and tells the person', async () => {
    const person = await givenFactor()
    await app.call('POST', '/api/v1/me/recovery-codes', { token: person.token })
    const found = await act('POST', '/find', { email: person.email })
    expect(found.json).toMatchObject({
      user_id: person.id,
      has_second_factor: true,
      factors: [{ factor_type: 'totp' }],
      recovery_codes_left: 10,
    })
    const before = Date.now()
    const { status, json } = await act('POST', `/${person.id}/reset-factor`, { reason })
    const after = await app.call('GET', '/api/v1/me', { token: person.token })

    expect({ status, after: after.status, isQuick: Date.now() - before < 1000 }).toEqual({
      status: 200,
      after: 401,
      isQuick: true,
    })
    expect(json).toMatchObject({ factors: [], recovery_codes_left: 0, sessions: 0, session_list: [] })
    expect((await person.client.refreshSession()).error).not.toBeNull()
    const again = await person.client.signInWithPassword({ email: person.email, password: PASSWORD })
    expect((await app.call('GET', '/api/v1/leads', { token: again.data.session?.access_token })).status).toBe(
      200,
    )
    expect(await readToldMails(app.context.db, person.id)).toEqual(['Your second factor was reset'])
    expect(await readAudit(app, 'second_factor_reset', person.id)).toMatchObject([
      { actor_id: app.admin.id, details: { factor_types: ['totp'], note: reason } },
    ])
    expect((await act('POST', `/${person.id}/reset-factor`, { reason })).json).toMatchObject({
      code: 'conflict',
      detail: 'This account has no second factor.',
    })
  })

  test('nobody resets their own', async () => {
    const { status, json } = await act('POST', `/${app.admin.id}/reset-factor`, { reason })
    expect({ status, detail: json.detail }).toEqual({
      status: 409,
      detail: 'You cannot reset your own second factor. Ask another owner.',
    })
  })

  test('needs a reason', async () => {
    const client = await app.newClient()
    expect((await act('POST', `/${client.id}/reset-factor`, {})).status).toBe(422)
    expect((await act('POST', `/${client.id}/end-sessions`, {})).status).toBe(422)
  })
})

test('ending a person’s sessions signs them out; of one’s own the present one stays', async () => {
  const client = await app.newClient()
  expect((await act('POST', `/${client.id}/end-sessions`, { reason })).json).toMatchObject({ ended: 1 })
  expect((await app.call('GET', '/api/v1/me', { token: client.token })).status).toBe(401)
  expect((await act('POST', `/${client.id}/end-sessions`, { reason })).json).toMatchObject({ ended: 0 })
  await app.call('POST', '/auth/v1/token?grant_type=password', {
    body: { email: app.admin.email, password: PASSWORD },
  })
  await act('POST', `/${app.admin.id}/end-sessions`, { reason })

  expect((await act('GET', `/${app.admin.id}`)).json).toMatchObject({ sessions: 1 })
})

test('addresses and browsers of sessions are for owners, who may end them', async () => {
  const [client, reader] = [await app.newClient(), await app.newClient()]
  await act('POST', '', { email: reader.email, admin_role: 'read_only', reason })
  reader.token = await acceptRole(app, reader.email)
  const seen = async (token: string) => [
    (await act('POST', '/find', { email: client.email }, token)).json,
    (await act('GET', `/${client.id}`, undefined, token)).json,
  ]
  for (const json of await seen(app.admin.token))
    expect(json).toMatchObject({ session_list: [{ ip: '127.0.0.1', aal: 'aal1' }] })
  for (const json of await seen(reader.token))
    expect(json).toMatchObject({ sessions: 1, session_list: [{ ip: null, user_agent: null, aal: 'aal1' }] })
  const people = await app.call('GET', `/api/v1/admin/clients/${client.id}/people`, { token: reader.token })
  expect(people.json.data).toMatchObject([{ sessions: [{ ip: null, user_agent: null }] }])
})
