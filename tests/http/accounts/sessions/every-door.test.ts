import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createQueueCookie } from '#server/queue-board/queue-session.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { startApp, type TestApp } from '../../support/start-app.ts'

let app: TestApp
/** An administrator's token and cookie, made while the session was alive. */
let token: string
let cookie: string
let user_id: string
let session_id: string

beforeAll(async () => {
  app = await startApp()
  user_id = app.admin.id
})
afterAll(() => app.close())

beforeEach(async () => {
  const { db } = app.context
  await db.updateTable('profiles').set({ status: 'active' }).where('user_id', '=', user_id).execute()
  await db.updateTable('auth.users').set({ banned_until: null }).where('id', '=', user_id).execute()
  await db.deleteFrom('auth.factors').where('user_id', '=', user_id).execute()
  const { json } = await app.call('POST', '/auth/v1/token?grant_type=password', {
    body: { email: app.admin.email, password: PASSWORD },
  })
  token = json.access_token
  session_id = String(decodeJwt(token)['session_id'])
  const made = await createQueueCookie(app.context, { user_id, session_id }, Math.floor(Date.now() / 1000))
  cookie = made.slice(0, made.indexOf(';'))
})

const knock = async (path: string, headers?: Record<string, string>) => {
  const { status, json } = await app.call('GET', path, headers === undefined ? { token } : { headers })
  return { status, code: json.code as string | undefined }
}

/**
 * Sends one request each to the API, the authentication service, its administration and the queue dashboard.
 */
const knockEverywhere = async () => {
  const version = { 'X-Supabase-Api-Version': '2024-01-01', authorization: `Bearer ${token}` }
  const [api, administration, wire, service, boardByBearer, boardByCookie] = await Promise.all([
    knock('/api/v1/leads'),
    knock('/api/v1/admin/sources'),
    knock('/auth/v1/user', version),
    knock('/auth/v1/admin/users', version),
    knock('/admin/queues'),
    knock('/admin/queues', { cookie }),
  ])
  return { api, administration, wire, service, boardByBearer, boardByCookie }
}

const changeSession = (change: { last_active_at: Date } | { aal: 'aal2' }) =>
  app.context.db.updateTable('auth.sessions').set(change).where('id', '=', session_id).execute()

const OVER = {
  api: { status: 401, code: 'invalid_token' },
  administration: { status: 401, code: 'invalid_token' },
  wire: { status: 403, code: 'session_not_found' },
  service: { status: 403, code: 'session_not_found' },
  boardByBearer: { status: 401 },
  boardByCookie: { status: 401 },
}
const BLOCKED = {
  api: { status: 403, code: 'forbidden' },
  administration: { status: 403, code: 'forbidden' },
  wire: { status: 403, code: 'user_banned' },
  service: { status: 403, code: 'user_banned' },
  boardByBearer: { status: 403 },
  boardByCookie: { status: 403 },
}
const OPEN = {
  api: { status: 200 },
  administration: { status: 200 },
  wire: { status: 200 },
  service: { status: 200 },
  boardByBearer: { status: 200 },
  boardByCookie: { status: 200 },
}

describe('every API', () => {
  test('admits an administrator’s valid session', async () => {
    expect(await knockEverywhere()).toMatchObject(OPEN)
  })

  test('refuses a session that was inactive for too long', async () => {
    await changeSession({ last_active_at: new Date(Date.now() - 31 * 60_000) })

    expect(await knockEverywhere()).toMatchObject(OVER)
  })

  test('refuses a session that was signed out', async () => {
    await app.call('POST', '/auth/v1/logout?scope=local', { token })

    expect(await knockEverywhere()).toMatchObject(OVER)
  })

  test('refuses a suspended account and a banned one', async () => {
    const { db } = app.context
    await db.updateTable('profiles').set({ status: 'suspended' }).where('user_id', '=', user_id).execute()
    expect(await knockEverywhere()).toMatchObject(BLOCKED)

    await db.updateTable('profiles').set({ status: 'active' }).where('user_id', '=', user_id).execute()
    const tomorrow = new Date(Date.now() + 86_400_000)
    await db.updateTable('auth.users').set({ banned_until: tomorrow }).where('id', '=', user_id).execute()
    expect(await knockEverywhere()).toMatchObject(BLOCKED)
  })

  test('tells a blocked account with an ended session only that the session has ended', async () => {
    const { db } = app.context
    await db.updateTable('profiles').set({ status: 'suspended' }).where('user_id', '=', user_id).execute()
    await changeSession({ last_active_at: new Date(Date.now() - 31 * 60_000) })

    expect(await knockEverywhere()).toMatchObject(OVER)
  })

  test('requires an account’s second factor, except for the user’s own data', async () => {
    const { db } = app.context
    await db
      .insertInto('auth.factors')
      .values({ user_id, friendly_name: 'Phone', factor_type: 'totp', status: 'verified' })
      .execute()

    expect(await knockEverywhere()).toMatchObject({
      api: { status: 403, code: 'mfa_required' },
      administration: { status: 403, code: 'mfa_required' },
      wire: { status: 200 },
      service: { status: 403, code: 'not_admin' },
      boardByBearer: { status: 403 },
      boardByCookie: { status: 403 },
    })

    await changeSession({ aal: 'aal2' })
    expect(await knockEverywhere()).toMatchObject(OPEN)
  })

  test('refuses a former administrator from the next request on, except for a client’s calls', async () => {
    const { db } = app.context
    await db.updateTable('profiles').set({ role: 'client' }).where('user_id', '=', user_id).execute()
    const answers = await knockEverywhere()
    await db.updateTable('profiles').set({ role: 'admin' }).where('user_id', '=', user_id).execute()

    expect(answers).toMatchObject({
      api: { status: 200 },
      administration: { status: 403, code: 'forbidden' },
      wire: { status: 200 },
      service: { status: 403, code: 'not_admin' },
      boardByBearer: { status: 403 },
      boardByCookie: { status: 403 },
    })
  })
})

describe('the polling of a screen', () => {
  const minutesAtRest = async () => {
    const { last_active_at } = await app.context.db
      .selectFrom('auth.sessions')
      .select('last_active_at')
      .where('id', '=', session_id)
      .executeTakeFirstOrThrow()
    return (Date.now() - last_active_at.getTime()) / 60_000
  }

  test('does not count as activity of the session', async () => {
    await changeSession({ last_active_at: new Date(Date.now() - 20 * 60_000) })
    expect((await knock('/admin/queues', { cookie })).status).toBe(200)
    expect(await minutesAtRest()).toBeGreaterThan(19)

    await knock('/api/v1/leads')
    expect(await minutesAtRest()).toBeLessThan(1)
  })
})
