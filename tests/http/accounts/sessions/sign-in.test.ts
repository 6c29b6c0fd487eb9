import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { hashPassword } from '#server/accounts/passwords/hash-password.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { post, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

const WRONG = { status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' }
const BLOCKED = { status: 429, code: 'over_request_rate_limit' }

function signIn(email: string, password = PASSWORD) {
  return server.newClient().signInWithPassword({ email, password })
}

async function fail(email: string, times: number) {
  for (let made = 0; made < times; made += 1) {
    const { error } = await signIn(email, 'wrong')
    expect(error).toMatchObject(WRONG)
  }
}

describe('password sign-in', () => {
  it('opens a new session, with the address in any case', async () => {
    const { email, user, session } = await signUpSomeone(server)
    const { data, error } = await signIn(` ${email.toUpperCase()}`)
    expect(error).toBeNull()
    expect(data.user?.id).toBe(user.id)
    expect(data.session?.refresh_token).not.toBe(session.refresh_token)
    expect(data.user?.last_sign_in_at).toEqual(expect.any(String))
  })

  it('gives the same answer to a wrong password, an unknown address and an invalid one', async () => {
    const { email } = await signUpSomeone(server)
    for (const address of [
      email,
      'nobody@example.com',
      'no address',
      `${'x'.repeat(300)}@example.com`,
      'a\u0000@b.co',
    ]) {
      const { error } = await signIn(address, 'wrong')
      expect(error).toMatchObject(WRONG)
    }
  })

  it('needs an address', async () => {
    const none = await post(server, '/token?grant_type=password', { password: PASSWORD })
    expect(none.body).toMatchObject({
      code: 400,
      error_code: 'validation_failed',
      msg: 'missing email or phone',
    })
  })

  it('refuses an unknown grant', async () => {
    const { status, body } = await post(server, '/token?grant_type=magic', {})
    expect(status).toBe(400)
    expect(body).toMatchObject({ error_code: 'invalid_credentials', msg: 'unsupported_grant_type' })
  })

  it('refuses a suspended and a banned account only if the password is right', async () => {
    const suspended = await signUpSomeone(server)
    const banned = await signUpSomeone(server)
    const { db } = server.context
    await db
      .updateTable('profiles')
      .set({ status: 'suspended' })
      .where('user_id', '=', suspended.user.id)
      .execute()
    const tomorrow = new Date(Date.now() + 86_400_000)
    await db
      .updateTable('auth.users')
      .set({ banned_until: tomorrow })
      .where('id', '=', banned.user.id)
      .execute()
    for (const { email } of [suspended, banned]) {
      expect((await signIn(email)).error).toMatchObject({
        status: 400,
        code: 'user_banned',
        message: 'User is banned',
      })
      expect((await signIn(email, 'wrong')).error).toMatchObject(WRONG)
    }
  })
})

describe('the login rate limiter', () => {
  it('refuses the sixth attempt after five wrong ones, even with the right password', async () => {
    const { email } = await signUpSomeone(server)
    await fail(email, 5)
    for (const password of ['wrong', PASSWORD]) {
      const { error } = await signIn(email, password)
      expect(error).toMatchObject(BLOCKED)
      expect(error?.message).toBe('Too many requests. Please try again in 15 minutes.')
    }
  })

  it('says when to retry', async () => {
    const { email } = await signUpSomeone(server)
    await fail(email, 5)
    const { headers } = await post(server, '/token?grant_type=password', { email, password: PASSWORD })
    expect(headers.get('Leadwire-Limit')).toBe('failed_attempts')
    const seconds = Number(headers.get('Retry-After'))
    expect(seconds).toBeGreaterThan(890)
    expect(seconds).toBeLessThanOrEqual(900)
  })

  it('blocks an unknown address like a known one', async () => {
    await fail('ghost@example.com', 5)
    expect((await signIn('ghost@example.com')).error).toMatchObject(BLOCKED)
  })

  it('resets after a right password', async () => {
    const { email } = await signUpSomeone(server)
    await fail(email, 4)
    expect((await signIn(email)).error).toBeNull()
    await fail(email, 4)
    expect((await signIn(email)).error).toBeNull()
  })

  it('resets when the last failure is older than the window, and when the block is over', async () => {
    const { email } = await signUpSomeone(server)
    await fail(email, 4)
    await age(email)
    await fail(email, 5)
    expect((await signIn(email)).error).toMatchObject(BLOCKED)
    await age(email)
    await fail(email, 1)
    expect((await signIn(email)).error).toBeNull()
  })

  it('does not affect other addresses of the network and other accounts', async () => {
    const { email } = await signUpSomeone(server)
    const other = await signUpSomeone(server)
    await fail(email, 5)
    expect((await signIn(other.email)).error).toBeNull()
    const body = { email, password: PASSWORD }
    const elsewhere = await post(server, '/token?grant_type=password', body, {
      'X-Forwarded-For': '203.0.113.7',
    })
    expect(elsewhere.status).toBe(200)
  })

  it('counts all addresses of one IPv6 network as one', async () => {
    const { email } = await signUpSomeone(server)
    const tryFrom = (address: string, password = 'wrong') =>
      post(
        server,
        '/token?grant_type=password',
        { email, password },
        {
          'X-Forwarded-For': address,
        },
      )
    for (let made = 0; made < 5; made += 1)
      expect((await tryFrom(`2001:db8:1:2::${made + 1}`)).status).toBe(400)
    expect((await tryFrom('2001:db8:1:2:ffff::1', PASSWORD)).status).toBe(429)
    expect((await tryFrom('2001:db8:1:3::1', PASSWORD)).status).toBe(200)
  })

  it('reveals the result of at most five simultaneous guesses', async () => {
    const { email } = await signUpSomeone(server)
    const guesses = Array.from({ length: 30 }, (_, index) => signIn(email, `guess ${index}`))
    const errors = (await Promise.all(guesses)).map(({ error }) => error?.code)
    expect(errors.filter((code) => code === 'invalid_credentials')).toHaveLength(5)
    expect(errors.filter((code) => code === 'over_request_rate_limit')).toHaveLength(25)
  })
})

/** Moves an account's attempts 16 minutes into the past. */
async function age(email: string) {
  const { db } = server.context
  const row = await db
    .selectFrom('auth.sign_in_attempts')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const earlier = (time: Date) => new Date(time.getTime() - 16 * 60_000)
  await db
    .updateTable('auth.sign_in_attempts')
    .set({
      last_failed_at: earlier(row.last_failed_at),
      blocked_until: row.blocked_until === null ? null : earlier(row.blocked_until),
    })
    .where('email', '=', email)
    .execute()
}

/** Resolves when a statement of the server waits for a lock. */
async function untilSomebodyWaits() {
  const waiting = sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  while ((await waiting.execute(server.context.db)).rows.length === 0);
}

describe('a password that changes while a sign-in is handled', () => {
  it('no longer opens a session', async () => {
    const { email, user } = await signUpSomeone(server)
    const changed = await hashPassword('Another-Lantern-58', server.context.config.auth.password.hashCost)
    const signedIn = await server.context.db.transaction().execute(async (trx) => {
      await trx.updateTable('auth.users').set({ password_hash: changed }).where('id', '=', user.id).execute()
      await trx.deleteFrom('auth.sessions').where('user_id', '=', user.id).execute()
      const signingIn = signIn(email)
      await untilSomebodyWaits()
      // Not awaited here, because it waits for the commit.
      return { signingIn }
    })
    expect((await signedIn.signingIn).error).toMatchObject(WRONG)
    const sessions = server.context.db.selectFrom('auth.sessions').select('id').where('user_id', '=', user.id)
    expect(await sessions.execute()).toEqual([])
    expect((await signIn(email, 'Another-Lantern-58')).error).toBeNull()
  })
})
