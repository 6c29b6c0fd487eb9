import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticate } from '#server/identity/authenticate.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { call, post, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

async function setLastActive(userId: string, minutesAgo: number, of: AuthServer = server): Promise<void> {
  await of.context.db
    .updateTable('auth.sessions')
    .set({ last_active_at: new Date(Date.now() - minutesAgo * 60_000) })
    .where('user_id', '=', userId)
    .execute()
}

async function minutesSinceActive(userId: string): Promise<number> {
  const { last_active_at } = await server.context.db
    .selectFrom('auth.sessions')
    .select('last_active_at')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return (Date.now() - last_active_at.getTime()) / 60_000
}

describe('an inactive session', () => {
  it('ends after half an hour, for the authentication service and for the API', async () => {
    const { client, session, user } = await signUpSomeone(server)
    await setLastActive(user.id, 29)
    expect((await client.getUser()).error).toBeNull()

    await setLastActive(user.id, 31)

    const { status, body } = await call(server, '/user', {
      headers: {
        Authorization: `Bearer ${session.access_token}`,
        'X-Supabase-Api-Version': '2024-01-01',
      },
    })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'session_not_found' })
    await expect(authenticate(server.context, `Bearer ${session.access_token}`)).rejects.toMatchObject({
      code: 'invalid_token',
      message: 'The session of this access token has ended.',
    })
  })

  it('is not revived by a request that came too late', async () => {
    const { session, user } = await signUpSomeone(server)
    await setLastActive(user.id, 31)
    await Promise.allSettled(
      Array.from({ length: 5 }, () => authenticate(server.context, `Bearer ${session.access_token}`)),
    )
    expect(await minutesSinceActive(user.id)).toBeGreaterThan(30)
  })

  it('is ended by a refresh, which is recorded in the audit log once', async () => {
    const { session, user } = await signUpSomeone(server)
    await setLastActive(user.id, 31)
    const refresh = () =>
      post(server, '/token?grant_type=refresh_token', { refresh_token: session.refresh_token })
    const answers = await Promise.all(Array.from({ length: 5 }, refresh))
    const codes = answers.map(({ body }) => (body as { error_code?: string }).error_code)
    expect(codes.filter((code) => code === 'session_expired')).toHaveLength(1)
    const rows = await server.context.db
      .selectFrom('auth.audit_log')
      .select(['action', 'details'])
      .where('user_id', '=', user.id)
      .where('action', '=', 'session_expired')
      .execute()
    expect(rows).toEqual([{ action: 'session_expired', details: { reason: 'inactivity' } }])
  })

  it('does not block a new sign-in', async () => {
    const { client, user, email } = await signUpSomeone(server)
    await setLastActive(user.id, 31)
    expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
    expect((await client.getUser()).error).toBeNull()
  })
})

describe('activity', () => {
  it('keeps a session alive, at the authentication service and at the API', async () => {
    const { client, session, user } = await signUpSomeone(server)
    for (const act of [
      () => client.getUser(),
      () => authenticate(server.context, `Bearer ${session.access_token}`),
    ]) {
      await setLastActive(user.id, 20)
      await act()
      expect(await minutesSinceActive(user.id)).toBeLessThan(1)
    }
  })

  it('is stored once a minute at most', async () => {
    const { client, user } = await signUpSomeone(server)
    await setLastActive(user.id, 0.5)
    await client.getUser()
    expect(await minutesSinceActive(user.id)).toBeGreaterThan(0.4)
  })
})

it('an inactive session never ends if the policy says 0', async () => {
  const open = await startAuthServer({ AUTH_INACTIVITY_SECONDS: '0' })
  try {
    const { client, user } = await signUpSomeone(open)
    await setLastActive(user.id, 60 * 24 * 365, open)
    expect((await client.refreshSession()).error).toBeNull()
    expect((await client.getUser()).error).toBeNull()
  } finally {
    await open.close()
  }
})
