import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteSessionsOfUser } from '#server/accounts/sessions/data/sessions.ts'
import { banUser } from '#server/accounts/people/update-user-by-admin.ts'
import type { Db } from '#core/data/database.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { call, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer({ AUTH_MANUAL_LINKING: '1' })
})
afterAll(() => server.close())

/** Changes the account while a request about it has been admitted and waits for its row. */
async function meanwhile<Answer>(
  userId: string,
  request: () => Promise<Answer>,
  happens: (db: Db) => Promise<void>,
): Promise<Answer> {
  const { pending } = await server.context.db.transaction().execute(async (trx) => {
    await sql`select from auth.users where id = ${userId} for update`.execute(trx)
    const pending = request()
    const waiting = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    while ((await waiting.execute(server.context.db)).rows.length === 0);
    await happens(trx)
    // Not awaited here, because it waits for the commit.
    return { pending }
  })
  return await pending
}

const NEW = 'Another-Lantern-58'

describe('a session that ends while its request is handled', () => {
  const REQUESTS: Record<string, [method: string, path: (identity: string) => string, body?: object]> = {
    'change the password': ['PUT', () => '/user', { password: NEW }],
    'change the address': ['PUT', () => '/user', { email: 'thief@example.com' }],
    'change the metadata': ['PUT', () => '/user', { data: { name: 'Mallory' } }],
    'remove an identity': ['DELETE', (identity) => `/user/identities/${identity}`],
  }
  for (const [what, [method, path, body]] of Object.entries(REQUESTS))
    it(`can no longer ${what}`, async () => {
      const { email, user, session } = await signUpSomeone(server)
      const { status, body: answer } = await meanwhile(
        user.id,
        () =>
          call(server, path(user.identities?.[0]?.identity_id ?? ''), {
            method,
            headers: {
              Authorization: `Bearer ${session.access_token}`,
              'X-Supabase-Api-Version': '2024-01-01',
            },
            body: JSON.stringify(body),
          }),
        (db) => deleteSessionsOfUser(db, user.id, null),
      )
      expect({ status, ...answer }).toMatchObject({
        status: 403,
        code: 'session_not_found',
        message: 'Session from session_id claim in JWT does not exist',
      })
      const { data } = await server.newClient().signInWithPassword({ email, password: PASSWORD })
      expect(data.user).toMatchObject({ email, user_metadata: user.user_metadata })
    })
})

describe('an account that is banned while a sign-in is handled', () => {
  it('gets no session', async () => {
    const { email, user } = await signUpSomeone(server)
    const { error } = await meanwhile(
      user.id,
      () => server.newClient().signInWithPassword({ email, password: PASSWORD }),
      (db) => banUser(db, user.id, 3600),
    )
    expect(error).toMatchObject({ status: 400, code: 'user_banned', message: 'User is banned' })
    const sessions = server.context.db.selectFrom('auth.sessions').select('id').where('user_id', '=', user.id)
    expect(await sessions.execute()).toEqual([])
  })
})
