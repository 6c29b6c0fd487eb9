import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminPersonSchema, type AdminPerson } from '#core/contract/accounts/admin-people.ts'
import { needsSchema } from '#core/contract/operations/needs.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { readMail } from '../codes/read-mail.ts'
import { readAudit } from '../../market/read-audit.ts'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'
import { acceptRole } from './accept-role.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const PEOPLE = '/api/v1/admin/people'
const reason = 'Agreed in the meeting'
const ANY_ID = '00000000-0000-4000-8000-000000000000'

const act = (method: string, path: string, body?: unknown, token = app.admin.token) =>
  app.call(method, `${PEOPLE}${path}`, { token, body })
const invite = (email: string, role = 'support') => act('POST', '', { email, admin_role: role, reason })
/** Invites somebody with an account, who accepts. */
async function appoint(person: Person, role: string): Promise<void> {
  await invite(person.email, role)
  person.token = await acceptRole(app, person.email)
}
const roleOf = async (token: string | undefined) =>
  (await app.call('GET', '/api/v1/me', { token })).json as unknown as {
    role: string
    admin_role: string | null
  }

describe('inviting an administrator', () => {
  test('gives the role when the mail’s link is opened, and not before', async () => {
    const { status, json } = await invite('ada@example.org', 'finance')
    expect({ status, json }).toMatchObject({
      status: 201,
      json: { email: 'ada@example.org', admin_role: 'finance', status: 'invited', sessions: 0 },
    })
    const id = adminPersonSchema.parse(json).user_id
    const before = await app.context.db
      .selectFrom('profiles')
      .select(['role', 'admin_role'])
      .where('user_id', '=', id)
      .executeTakeFirst()
    expect(before).toEqual({ role: 'client', admin_role: 'finance' })

    const mail = await readMail(app, 'ada@example.org')
    const link = new URL(mail.data.url ?? '')
    expect(link.searchParams.get('redirect_to')).toBe(`${app.url}/admin`)
    const opened = await fetch(`${app.url}/auth/v1/verify${link.search}`, { redirect: 'manual' })
    const landed = new URL(opened.headers.get('location') ?? '')
    const token = new URLSearchParams(landed.hash.slice(1)).get('access_token') ?? ''

    expect(await roleOf(token)).toMatchObject({ role: 'admin', admin_role: 'finance' })
    const rows = await readAudit(app, 'administrator_invited', id)
    expect(rows).toMatchObject([
      { actor: 'admin', actor_id: app.admin.id, details: { after: { role: 'finance' }, note: reason } },
    ])
    expect(JSON.stringify(rows[0]?.details)).not.toContain('ada@example.org')
  })

  test.each([
    [false, 200],
    [true, 400],
  ])(
    'a person with an account accepts too, and with automatic confirmation (%s) the password gives %i',
    async (autoconfirm, status) => {
      const person = await app.newClient()
      const { email: settings } = app.context.config.auth
      const usual = settings.autoconfirm
      Object.assign(settings, { autoconfirm })
      expect((await invite(person.email.toUpperCase())).json).toMatchObject({ status: 'invited' })
      expect(await roleOf(person.token)).toMatchObject({ role: 'client', admin_role: null })
      const token = await acceptRole(app, person.email)

      expect(await roleOf(token)).toMatchObject({ role: 'admin', admin_role: 'support' })
      expect((await app.call('GET', '/api/v1/me', { token: person.token })).status).toBe(401)
      const body = { email: person.email, password: PASSWORD }
      const again = await app.call('POST', '/auth/v1/token?grant_type=password', { body })
      expect(again.status).toBe(status)
      expect((await invite(person.email)).status).toBe(409)
      Object.assign(settings, { autoconfirm: usual })
    },
  )

  test('gives no role to an unconfirmed account whose phone was confirmed meanwhile', async () => {
    const { json } = await invite('dan@example.org')
    const id = adminPersonSchema.parse(json).user_id
    const { db } = app.context
    const phone = { phone: '12025550143', phone_confirmed_at: new Date() }
    await db.updateTable('auth.users').set(phone).where('id', '=', id).execute()
    expect(await acceptRole(app, 'dan@example.org')).toBe('')
    const profile = db.selectFrom('profiles').select(['role', 'admin_role']).where('user_id', '=', id)
    expect(await profile.executeTakeFirst()).toMatchObject({ role: 'client' })
    expect((await invite('dan@example.org')).status).toBe(409)
  })

  test('is refused for a person of a client’s account, who gets no role either after joining one meanwhile', async () => {
    const [founder, person] = [await app.newClient(), await app.newClient()]
    await invite(person.email)
    await app.context.db
      .insertInto('account_members')
      .values({ user_id: person.id, account_id: founder.id, role: 'finance' })
      .execute()
    expect(await acceptRole(app, person.email)).toBe('')
    expect(await roleOf(person.token)).toMatchObject({ role: 'client' })
    for (const { email } of [person, founder])
      expect((await invite(email)).json.detail).toContain('belongs to a client’s account with other people')
  })

  test('an invitation can be taken back: its link gives no role any more', async () => {
    const { json } = await invite('bob@example.org')
    const id = adminPersonSchema.parse(json).user_id
    const { search } = new URL((await readMail(app, 'bob@example.org')).data.url ?? '')
    expect((await act('DELETE', `/${id}`, { reason })).status).toBe(204)
    const opened = await fetch(`${app.url}/auth/v1/verify${search}`, { redirect: 'manual' })

    expect(opened.headers.get('location')).toContain('error_code=otp_expired')
    expect((await act('GET', `/${id}`)).json).toMatchObject({ admin_role: null, status: 'active' })
  })

  test.each([
    [{ admin_role: 'owner', reason }, 'email'],
    [{ email: 'no address', admin_role: 'owner', reason }, 'email'],
    [{ email: 'x@example.org', admin_role: 'king', reason }, 'admin_role'],
    [{ email: 'x@example.org', admin_role: 'owner' }, 'reason'],
    [{ email: 'x@example.org', admin_role: 'owner', reason: ' ' }, 'reason'],
  ])('refuses %j', async (body, path) => {
    const { status, json } = await act('POST', '', body)
    expect({ status, path: json.errors[0]?.path }).toEqual({ status: 422, path })
  })
})

describe('the last owner', () => {
  const refusal = { status: 409, json: { code: 'conflict' } }

  test('cannot be demoted or removed', async () => {
    expect(await act('PATCH', `/${app.admin.id}`, { admin_role: 'support', reason })).toMatchObject(refusal)
    expect(await act('DELETE', `/${app.admin.id}`, { reason })).toMatchObject(refusal)
  })

  test('cannot be banned or deleted through the authentication service', async () => {
    const path = `/auth/v1/admin/users/${app.admin.id}`
    const ban = await app.call('PUT', path, { token: app.admin.token, body: { ban_duration: '1h' } })
    const removal = await app.call('DELETE', path, { token: app.admin.token, body: {} })
    expect([ban.status, removal.status]).toEqual([409, 409])
    expect(await roleOf(app.admin.token)).toMatchObject({ admin_role: 'owner' })
  })

  test('two owners cannot take each other away at the same time', async () => {
    const other = await app.newClient()
    await appoint(other, 'owner')
    const [mine, theirs] = await Promise.all([
      act('DELETE', `/${other.id}`, { reason }),
      act('DELETE', `/${app.admin.id}`, { reason }, other.token),
    ])
    expect([204, 401, 403, 409]).toContain(mine.status)
    const owners = await app.context.db
      .selectFrom('profiles')
      .select('user_id')
      .where('role', '=', 'admin')
      .where('admin_role', '=', 'owner')
      .execute()
    expect(owners).toHaveLength(1)
    // For the tests that follow.
    if (theirs.status === 204) {
      await act('POST', '', { email: app.admin.email, admin_role: 'owner', reason }, other.token)
      app.admin.token = await acceptRole(app, app.admin.email)
      await act('DELETE', `/${other.id}`, { reason })
    }
  })
})

describe('changing an administrator', () => {
  test('counts from the next request on, and the audit log has before, after and the reason', async () => {
    const person = await app.newClient()
    await appoint(person, 'support')
    const suspend = () =>
      app.call('POST', `/api/v1/admin/clients/${ANY_ID}/suspend`, { token: person.token, body: { reason } })
    expect((await suspend()).status).toBe(404)
    const { json } = await act('PATCH', `/${person.id}`, { admin_role: 'read_only', reason })

    expect(json).toMatchObject({ admin_role: 'read_only' })
    expect((await suspend()).status).toBe(403)
    expect(await readAudit(app, 'administrator_role_changed', person.id)).toMatchObject([
      { details: { before: { role: 'support' }, after: { role: 'read_only' }, note: reason } },
    ])
  })

  test('a removed administrator is signed out, and is a client from then on', async () => {
    const person = await app.newClient()
    await appoint(person, 'owner')
    expect((await act('DELETE', `/${person.id}`, { reason })).status).toBe(204)

    expect((await app.call('GET', PEOPLE, { token: person.token })).status).toBe(401)
    expect((await act('GET', `/${person.id}`)).json).toMatchObject({ admin_role: null, sessions: 0 })
    expect((await act('DELETE', `/${person.id}`, { reason })).status).toBe(404)
  })

  test('a client is no administrator, and an unknown id nobody', async () => {
    const client = await app.newClient()
    const change = { admin_role: 'owner', reason }
    expect((await act('PATCH', `/${client.id}`, change)).status).toBe(404)
    expect((await act('PATCH', `/${ANY_ID}`, change)).status).toBe(404)
    expect(await roleOf(client.token)).toMatchObject({ role: 'client' })
  })
})

test('the list of people has administrators alone, and who is invited; no list of clients has these', async () => {
  await app.newClient()
  await invite('carol@example.org', 'read_only')
  const { json } = await act('GET', '')
  const roles = json.data as unknown as AdminPerson[]

  expect(roles.filter(({ admin_role: role }) => role === null)).toEqual([])
  expect(roles.find(({ email }) => email === 'carol@example.org')).toMatchObject({
    admin_role: 'read_only',
    status: 'invited',
  })
  expect((await act('POST', '/find', { email: 'nobody@example.org' })).status).toBe(404)

  const read = (path: string) => app.call('GET', `/api/v1/admin/${path}`, { token: app.admin.token })
  expect(JSON.stringify((await read('clients?search=carol')).json.data)).toBe('[]')
  const invited = roles.filter(({ status }) => status === 'invited')
  const approvals = needsSchema.parse((await read('needs')).json).data.find(({ kind }) => kind === 'approval')
  expect(approvals?.items.filter(({ id }) => invited.some(({ user_id }) => user_id === id))).toEqual([])
})

test('an owner’s change of a client’s session is refused to the client', async () => {
  const client = await app.newClient()
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['POST', '/find', { email: app.admin.email }],
    ['POST', `/${app.admin.id}/reset-factor`, { reason }],
    ['DELETE', `/${app.admin.id}`, { reason }],
  ] as const)
    expect((await act(method, path, body, client.token)).status, path).toBe(403)
})

test('security events of all accounts are listed with their account, and narrowed', async () => {
  const client = await app.newClient()
  const report = (type: string) =>
    app.call('POST', '/functions/v1/security-monitoring', {
      token: client.token,
      body: {
        event: {
          id: crypto.randomUUID(),
          type,
          timestamp: new Date().toISOString(),
          userAgent: 'Test',
          url: `${app.url}/settings`,
          details: {},
          severity: 'low',
        },
      },
    })
  for (const type of ['logout', 'mfa_failure', 'mfa_failure']) await report(type)
  const list = async (query: string) =>
    (await app.call('GET', `/api/v1/admin/security-events?${query}`, { token: app.admin.token })).json

  const mine = await list(`user_id=${client.id}`)
  expect(mine.data).toHaveLength(3)
  expect(mine.data[0]).toMatchObject({ type: 'mfa_failure', severity: 'high', email: client.email })
  expect((await list(`user_id=${client.id}&severity=low`)).data).toHaveLength(1)
  const first = await list(`type=mfa_failure&limit=1`)
  expect((await list(`type=mfa_failure&limit=1&cursor=${first.next_cursor}`)).data).toHaveLength(1)
  for (const query of ['severity=huge', 'type=Drop%20table', 'user_id=7'])
    expect((await list(query)).code, query).toBe('validation_failed')
})
