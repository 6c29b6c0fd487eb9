import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { EVEN_MS } from '#core/config/auth-variables.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { openLink, readLinkMail, readLinkMails } from './read-link-mail.ts'
import { newEmail, post, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer({ AUTH_RATE_GAP_SECONDS: '0' })
})
afterAll(() => server.close())

const NEXT = 'Copper-Lantern-94'

describe('recovery', () => {
  it('signs in by the link, and the new password ends all other sessions', async () => {
    const { email, client: lost } = await signUpSomeone(server)
    const client = server.newClient()
    expect((await client.resetPasswordForEmail(email)).error).toBeNull()
    const mail = await readLinkMail(server, email)
    expect(mail).toMatchObject({ template: 'account_recovery', type: 'recovery' })
    const { fragment } = await openLink(mail.url)
    expect(fragment.get('type')).toBe('recovery')
    await client.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    })
    expect((await client.updateUser({ password: NEXT })).error).toBeNull()
    expect((await client.getUser()).error).toBeNull()
    expect((await lost.getUser()).error).not.toBeNull()
    const other = server.newClient()
    expect((await other.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe(
      'invalid_credentials',
    )
    expect((await other.signInWithPassword({ email, password: NEXT })).error).toBeNull()
  })

  it('also works by the code in its mail', async () => {
    const { email } = await signUpSomeone(server)
    const client = server.newClient()
    const events: string[] = []
    client.onAuthStateChange((event) => void events.push(event))
    await client.resetPasswordForEmail(email)
    const { code } = await readLinkMail(server, email)
    expect((await client.verifyOtp({ email, token: code, type: 'recovery' })).error).toBeNull()
    expect(events).toContain('PASSWORD_RECOVERY')
  })

  it('gives an unknown address the same answer in the same time, and sends no mail', async () => {
    const even = await startAuthServer({ AUTH_RATE_GAP_SECONDS: '0', AUTH_EVEN_MS: String(EVEN_MS) })
    onTestFinished(() => even.close())
    const { email } = await signUpSomeone(even)
    const unknown = newEmail()
    const took = async (address: string) => {
      const started = performance.now()
      expect((await post(even, '/recover', { email: address })).body).toEqual({})
      return performance.now() - started
    }
    await took(email)
    for (const address of [email, unknown]) expect(await took(address)).toBeGreaterThan(240)
    expect(await readLinkMails(even, unknown)).toHaveLength(0)
  })

  it('needs an address', async () => {
    const { body } = await post(server, '/recover', {}, { 'X-Supabase-Api-Version': '2024-01-01' })
    expect(body).toMatchObject({ message: 'Password recovery requires an email' })
  })

  it('invalidates older codes and links once the password has changed', async () => {
    const { email, client } = await signUpSomeone(server)
    await client.resetPasswordForEmail(email)
    const mail = await readLinkMail(server, email)
    expect((await client.updateUser({ password: NEXT })).error).toBeNull()
    expect((await openLink(mail.url)).fragment.get('error_code')).toBe('otp_expired')
  })

  it('is recorded in the audit log', async () => {
    const { email, user, client } = await signUpSomeone(server)
    await client.resetPasswordForEmail(email)
    await client.updateUser({ password: NEXT })
    const rows = await server.context.db
      .selectFrom('auth.audit_log')
      .select('action')
      .where('user_id', '=', user.id)
      .execute()
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['recovery_requested', 'password_changed']),
    )
  })
})

describe('a new password', () => {
  it('must differ from the old one and meet the policy', async () => {
    const { client } = await signUpSomeone(server)
    expect((await client.updateUser({ password: PASSWORD })).error).toMatchObject({
      status: 422,
      code: 'same_password',
      message: 'New password should be different from the old password.',
    })
    expect((await client.updateUser({ password: 'aaa' })).error).toMatchObject({
      status: 422,
      code: 'weak_password',
    })
  })

  it('is refused with a wrong present password, which counts as a failed sign-in', async () => {
    const { client } = await signUpSomeone(server)
    const wrong = () => client.updateUser({ password: NEXT, current_password: 'no' })
    for (let tried = 0; tried < 5; tried += 1)
      expect((await wrong()).error).toMatchObject({ status: 400, code: 'current_password_invalid' })
    expect((await wrong()).error).toMatchObject({ status: 429, code: 'over_request_rate_limit' })
  })

  it('needs the present password if the policy says so, unless the session began by mail', async () => {
    const strict = await startAuthServer({ AUTH_PASSWORD_CURRENT: '1', AUTH_RATE_GAP_SECONDS: '0' })
    const { client, email } = await signUpSomeone(strict)
    expect((await client.updateUser({ password: NEXT })).error).toMatchObject({
      status: 400,
      code: 'current_password_required',
      message: 'Current password required when setting new password.',
    })
    expect((await client.updateUser({ password: NEXT, current_password: PASSWORD })).error).toBeNull()
    const other = strict.newClient()
    await other.resetPasswordForEmail(email)
    const { code } = await readLinkMail(strict, email)
    await other.verifyOtp({ email, token: code, type: 'recovery' })
    expect((await other.updateUser({ password: 'Silver-Lantern-37' })).error).toBeNull()
    await strict.close()
  })
})

describe('a stored hash', () => {
  async function store(email: string, hash: string) {
    const { db } = server.context
    await db.updateTable('auth.users').set({ password_hash: hash }).where('email', '=', email).execute()
  }
  async function stored(email: string) {
    const { db } = server.context
    const row = await db
      .selectFrom('auth.users')
      .select('password_hash')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    return row.password_hash
  }

  it('of bcrypt works, and becomes argon2id at the first successful sign-in', async () => {
    const { email } = await signUpSomeone(server)
    const { hash } = await import('bcryptjs')
    const imported = await hash(PASSWORD, 6)
    await store(email, imported)
    const client = server.newClient()
    expect((await client.signInWithPassword({ email, password: 'wrong' })).error?.code).toBe(
      'invalid_credentials',
    )
    expect(await stored(email)).toBe(imported)
    expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
    expect(await stored(email)).toMatch(/^\$argon2id\$/)
    expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
  })

  it('of a password below the policy works, and the session recommends a new password', async () => {
    const { email } = await signUpSomeone(server)
    const { hash } = await import('bcryptjs')
    await store(email, await hash('summer', 6))
    const { data, error } = await server.newClient().signInWithPassword({ email, password: 'summer' })
    expect(error).toBeNull()
    expect(data.weakPassword?.reasons).toEqual(['length', 'characters', 'patterns'])
  })
})
