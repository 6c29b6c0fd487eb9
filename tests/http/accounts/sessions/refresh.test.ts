import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#core/data/database.ts'
import { hashToken } from '#server/accounts/sessions/refresh-token.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { post, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

function refresh(token: string) {
  return server.newClient().refreshSession({ refresh_token: token })
}

/** Refreshes and returns the next token. */
async function next(token: string): Promise<string> {
  const { data, error } = await refresh(token)
  if (error !== null || data.session === null) throw new Error('the refresh failed', { cause: error })
  return data.session.refresh_token
}

/** Moves the time of a token's replacement out of the reuse interval. */
async function ageReplacement(token: string, milliseconds = 11_000) {
  await server.context.db
    .updateTable('auth.refresh_tokens')
    .set({ replaced_at: new Date(Date.now() - milliseconds) })
    .where('token_hash', '=', hashToken(token))
    .execute()
}

async function setLastActive(userId: string, minutesAgo: number) {
  await server.context.db
    .updateTable('auth.sessions')
    .set({ last_active_at: new Date(Date.now() - minutesAgo * 60_000) })
    .where('user_id', '=', userId)
    .execute()
}

async function readLastActive(userId: string): Promise<Date> {
  const { last_active_at } = await server.context.db
    .selectFrom('auth.sessions')
    .select('last_active_at')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return last_active_at
}

async function countWaiting(db: Db): Promise<number> {
  // A transaction sees one snapshot of the activity until it asks for another.
  await sql`select pg_stat_clear_snapshot()`.execute(db)
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::integer as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.waiting ?? 0
}

async function countSessions(userId: string): Promise<number> {
  const rows = await server.context.db
    .selectFrom('auth.sessions')
    .select('id')
    .where('user_id', '=', userId)
    .execute()
  return rows.length
}

describe('refresh', () => {
  it('returns a new pair of tokens in the same session', async () => {
    const { session, user } = await signUpSomeone(server)
    const { data, error } = await refresh(session.refresh_token)
    expect(error).toBeNull()
    expect(data.user?.id).toBe(user.id)
    expect(data.session?.refresh_token).not.toBe(session.refresh_token)
    const before = decodeJwt(session.access_token)
    const after = decodeJwt(data.session?.access_token ?? '')
    expect(after['session_id']).toBe(before['session_id'])
    expect(after['amr']).toEqual(before['amr'])
    expect(after.jti).not.toBe(before.jti)
    expect(await countSessions(user.id)).toBe(1)
  })

  it('returns the current token again to a client that never saved the answer, however late', async () => {
    const { session } = await signUpSomeone(server)
    const second = await next(session.refresh_token)
    await ageReplacement(session.refresh_token)
    expect(await next(session.refresh_token)).toBe(second)
    const third = await next(second)
    expect(third).not.toBe(second)
  })

  it('returns the current token for an older one that was replaced a moment ago', async () => {
    const { session } = await signUpSomeone(server)
    const second = await next(session.refresh_token)
    const third = await next(second)
    const fourth = await next(third)
    expect(await next(session.refresh_token)).toBe(fourth)
    expect(await next(second)).toBe(fourth)
  })

  it('ends the whole family if an older token is used later', async () => {
    const { session, user, client } = await signUpSomeone(server)
    const second = await next(session.refresh_token)
    const third = await next(second)
    await ageReplacement(session.refresh_token)
    const { error } = await refresh(session.refresh_token)
    expect(error).toMatchObject({
      status: 400,
      code: 'refresh_token_already_used',
      message: 'Invalid Refresh Token: Already Used',
    })
    for (const token of [second, third]) {
      expect((await refresh(token)).error).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
    }
    expect(await countSessions(user.id)).toBe(0)
    expect((await client.getUser(session.access_token)).error).toMatchObject({
      name: 'AuthSessionMissingError',
    })
  })

  it('does not affect the user’s other sessions when one family ends', async () => {
    const { session, user, email } = await signUpSomeone(server)
    const other = server.newClient()
    await other.signInWithPassword({ email, password: PASSWORD })
    const second = await next(session.refresh_token)
    await next(second)
    await ageReplacement(session.refresh_token)
    expect((await refresh(session.refresh_token)).error?.code).toBe('refresh_token_already_used')
    expect((await other.getUser()).data.user?.id).toBe(user.id)
  })

  it('answers twenty simultaneous refreshes of one token with one new token', async () => {
    const { session, user } = await signUpSomeone(server)
    // Without the client library, which retries after a server error.
    const path = '/token?grant_type=refresh_token'
    const body = { refresh_token: session.refresh_token }
    const { sent: answers } = await server.context.db.transaction().execute(async (trx) => {
      await trx.selectFrom('auth.sessions').selectAll().where('user_id', '=', user.id).forUpdate().execute()
      const sent = Array.from({ length: 20 }, () => post(server, path, body))
      // The pool has ten connections and this transaction holds one, so nine refreshes wait.
      await expect.poll(() => countWaiting(trx), { timeout: 20_000 }).toBe(9)
      return { sent }
    })
    const done = await Promise.all(answers)
    expect(done.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    const tokens = done.map((answer) => answer.body.refresh_token)
    expect(new Set(tokens).size).toBe(1)
    expect(await countSessions(user.id)).toBe(1)
    expect(await next(tokens[0] ?? '')).not.toBe(tokens[0])
  })

  it.each(['invalid-refresh-token', '', '\u0000'])('refuses an unknown token: %j', async (token) => {
    const { status, body } = await post(server, '/token?grant_type=refresh_token', { refresh_token: token })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 400,
      error_code: 'refresh_token_not_found',
      msg: 'Invalid Refresh Token: Refresh Token Not Found',
    })
  })

  it('refuses a suspended account', async () => {
    const { session, user } = await signUpSomeone(server)
    const suspended = server.context.db.updateTable('profiles').set({ status: 'suspended' })
    await suspended.where('user_id', '=', user.id).execute()
    expect((await refresh(session.refresh_token)).error).toMatchObject({
      status: 400,
      code: 'user_banned',
      message: 'Invalid Refresh Token: User Banned',
    })
  })

  it('answers 409 if another refresh locks the session for too long', async () => {
    const { session, user } = await signUpSomeone(server)
    const answer = await server.context.db.transaction().execute(async (trx) => {
      await trx.selectFrom('auth.sessions').selectAll().where('user_id', '=', user.id).forUpdate().execute()
      return await post(server, '/token?grant_type=refresh_token', { refresh_token: session.refresh_token })
    })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ error_code: 'conflict' })
    expect(await next(session.refresh_token)).not.toBe(session.refresh_token)
  }, 15_000)

  it('deletes tokens that were replaced more than a day ago, and nothing else', async () => {
    const { session, user } = await signUpSomeone(server)
    const tokens = [session.refresh_token]
    for (let turn = 0; turn < 5; turn += 1) tokens.push(await next(tokens.at(-1) ?? ''))
    const [first = '', second = '', third = '', fourth = '', parent = '', current = ''] = tokens
    for (const token of [first, second, third]) await ageReplacement(token, 25 * 3_600_000)

    const renewed = await next(current)

    const rows = await server.context.db
      .selectFrom('auth.refresh_tokens')
      .innerJoin('auth.sessions as s', 's.id', 'session_id')
      .select('token_hash')
      .where('s.user_id', '=', user.id)
      .execute()
    const kept = rows.map(({ token_hash }) => token_hash.toString('hex')).toSorted()
    const expected = [fourth, parent, current, renewed].map((token) => hashToken(token).toString('hex'))
    expect(kept).toEqual(expected.toSorted())
    // A client that still has an old token learns nothing and ends nothing.
    expect((await refresh(second)).error?.code).toBe('refresh_token_not_found')
    expect(await next(current)).toBe(renewed)
    expect(await next(renewed)).not.toBe(renewed)
  })

  it('ends a session that was inactive for more than half an hour', async () => {
    const { session, user } = await signUpSomeone(server)
    await setLastActive(user.id, 31)
    expect((await refresh(session.refresh_token)).error).toMatchObject({
      status: 400,
      code: 'session_expired',
      message: 'Invalid Refresh Token: Session Expired (Inactivity)',
    })
    expect(await countSessions(user.id)).toBe(0)
  })

  it('does not count as activity', async () => {
    const { session, user } = await signUpSomeone(server)
    await setLastActive(user.id, 20)
    const second = await next(session.refresh_token)
    const last = await readLastActive(user.id)
    expect(Date.now() - last.getTime()).toBeGreaterThan(19 * 60_000)
    await setLastActive(user.id, 31)
    expect((await refresh(second)).error?.code).toBe('session_expired')
  })

  it('stores no usable token', async () => {
    const { session } = await signUpSomeone(server)
    const second = await next(session.refresh_token)
    const rows = await server.context.db.selectFrom('auth.refresh_tokens').selectAll().execute()
    const stored = JSON.stringify(
      rows.map((row) => [row.token_hash.toString('base64url'), row.salt.toString('base64url')]),
    )
    expect(stored).not.toContain(session.refresh_token)
    expect(stored).not.toContain(second)
  })
})
