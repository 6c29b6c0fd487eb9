import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { enrollTotp, forgetUsedStep } from '../factors/enroll-totp.ts'
import { openLink, readLinkMail } from './read-link-mail.ts'
import { post, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'
import { showCode, wrongCode } from '../factors/totp-app.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer({ AUTH_RATE_GAP_SECONDS: '0' })
})
afterAll(() => server.close())

async function sendCode(email: string) {
  expect((await post(server, '/otp', { email })).status).toBe(200)
  return await readLinkMail(server, email)
}
const type = (email: string, token: string) => post(server, '/verify', { type: 'email', email, token })
const wrongFor = (code: string) => (code === '123456' ? '654321' : '123456')

async function readAlerts(userId: string) {
  const { db } = server.context
  const events = await db
    .selectFrom('auth.security_events')
    .select(['type', 'severity', 'details'])
    .where('user_id', '=', userId)
    .execute()
  const rows = await db
    .selectFrom('auth.audit_log')
    .select('details')
    .where('user_id', '=', userId)
    .where('action', '=', 'security_alert')
    .execute()
  return { events, rows }
}

describe('a typed code', () => {
  it('stays valid if its session could not be created', async () => {
    const { email } = await signUpSomeone(server)
    const { code } = await sendCode(email)
    const { db } = server.context
    await sql`
      create function auth.break_off() returns trigger language plpgsql as $$
      begin raise exception 'the server died here'; end $$`.execute(db)
    await sql`
      create trigger break_off before insert on auth.sessions
      for each row execute function auth.break_off()`.execute(db)
    try {
      expect((await type(email, code)).status).toBe(500)
    } finally {
      await sql`drop trigger break_off on auth.sessions`.execute(db)
    }
    expect((await type(email, code)).status).toBe(200)
    expect((await type(email, code)).status).toBe(403)
  })
})

describe('after fifty wrong codes of an authenticator in a day', () => {
  it('no code is accepted from an unknown network until the next day', async () => {
    const { email, client, user } = await signUpSomeone(server)
    const { factorId, secret } = await enrollTotp(client)
    expect((await client.mfa.challengeAndVerify({ factorId, code: showCode(secret) })).error).toBeNull()
    const thief = server.newClient()
    const { data } = await thief.signInWithPassword({ email, password: PASSWORD })
    const headers = {
      Authorization: `Bearer ${data.session?.access_token}`,
      'X-Forwarded-For': '198.51.100.8',
    }
    const answer = async (code: string) => {
      const { body } = await post(server, `/factors/${factorId}/challenge`, {}, headers)
      const challenge_id = (body as { id?: string }).id
      return (await post(server, `/factors/${factorId}/verify`, { challenge_id, code }, headers)).status
    }
    expect(await answer(wrongCode(secret))).toBe(422)
    await server.context.db
      .updateTable('auth.wrong_codes')
      .set({ failures: 49 })
      .where('purpose', '=', 'factor')
      .execute()
    expect(await answer(wrongCode(secret))).toBe(422)
    expect(await answer(showCode(secret))).toBe(429)
    expect((await readAlerts(user.id)).rows).toHaveLength(1)
    expect((await client.mfa.challengeAndVerify({ factorId, code: showCode(secret, 1) })).error).toBeNull()

    await server.context.db
      .updateTable('auth.wrong_codes')
      .set({ since: new Date(Date.now() - 86_401_000) })
      .execute()
    await forgetUsedStep(server, user.id)
    expect(await answer(showCode(secret))).toBe(200)
  })
})

describe('after fifty wrong codes in a day', () => {
  /** Makes one wrong guess for an address that already has 49. */
  async function guessOnce(email: string) {
    await type(email, wrongFor((await sendCode(email)).code))
    await server.context.db
      .updateTable('auth.wrong_codes')
      .set({ failures: 49 })
      .where('purpose', '=', 'magic_link')
      .execute()
    await type(email, wrongFor((await sendCode(email)).code))
  }

  it('every typed code is refused, but links and the password work', async () => {
    const { email, client } = await signUpSomeone(server)
    await guessOnce(email)
    const { code, url } = await sendCode(email)
    expect(await type(email, code)).toMatchObject({
      status: 403,
      body: { error_code: 'otp_expired', msg: 'Token has expired or is invalid' },
    })
    expect((await openLink(url)).fragment.get('access_token')).not.toBeNull()
    expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
    // Another purpose has its own count of guesses.
    await client.resetPasswordForEmail(email)
    const recovery = await readLinkMail(server, email)
    expect((await client.verifyOtp({ email, token: recovery.code, type: 'recovery' })).error).toBeNull()

    await server.context.db
      .updateTable('auth.wrong_codes')
      .set({ since: new Date(Date.now() - 86_401_000) })
      .execute()
    expect((await type(email, (await sendCode(email)).code)).status).toBe(200)
  })

  it('the owner is notified once', async () => {
    const { email, user } = await signUpSomeone(server)
    await guessOnce(email)
    for (let more = 0; more < 4; more += 1) await type(email, wrongFor((await sendCode(email)).code))
    const details = { cause: 'wrong_codes', threshold: 50 }
    expect(await readAlerts(user.id)).toEqual({
      events: [{ type: 'security_alert', severity: 'critical', details }],
      rows: [{ details }],
    })
  })

  it('simultaneous guesses are counted one by one', async () => {
    const { email, user } = await signUpSomeone(server)
    const { code } = await sendCode(email)
    await type(email, wrongFor(code))
    await server.context.db.updateTable('auth.wrong_codes').set({ failures: 49 }).execute()
    await Promise.all(Array.from({ length: 20 }, () => type(email, wrongFor(code))))
    expect((await type(email, code)).status).toBe(403)
    expect((await readAlerts(user.id)).rows).toHaveLength(1)
  })
})
