import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { EVEN_MS } from '#core/config/auth-variables.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { openLink, readLinkMail, readLinkMails } from '../codes/read-link-mail.ts'
import { newEmail, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'
import { signUpAt } from './sign-up-at.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer({ AUTH_EMAIL_AUTOCONFIRM: '0', AUTH_RATE_GAP_SECONDS: '0' })
})
afterAll(() => server.close())

const OTP_EXPIRED = { status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' }

const signUp = (email?: string, password?: string, at = server) => signUpAt(at, email, password)

describe('sign-up with confirmation', () => {
  it('answers without a session, and mails a link and a code', async () => {
    const { email, data, error, redirect } = await signUp()
    expect(error).toBeNull()
    expect(data.session).toBeNull()
    expect(data.user?.identities).toHaveLength(1)
    expect(data.user?.confirmation_sent_at).toEqual(expect.any(String))
    expect(data.user?.email_confirmed_at).toBeUndefined()
    expect(data.user?.user_metadata).toMatchObject({ email, email_verified: false })
    const mail = await readLinkMail(server, email)
    expect(mail).toMatchObject({
      template: 'account_confirm',
      address: email,
      type: 'signup',
      redirectTo: redirect,
    })
    expect(mail.code).toMatch(/^\d{6}$/)
  })

  it('refuses the password until the address is confirmed', async () => {
    const { client, email } = await signUp()
    const { error } = await client.signInWithPassword({ email, password: PASSWORD })
    expect(error).toMatchObject({ status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' })
  })

  it('signs in on the requested page when the link is opened, once', async () => {
    const { client, email, redirect } = await signUp()
    const { url } = await readLinkMail(server, email)
    const opened = await openLink(url)
    expect(opened).toMatchObject({ status: 303, page: redirect })
    expect([...opened.fragment.keys()].toSorted()).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'sb',
      'token_type',
      'type',
    ])
    expect(opened.fragment.get('type')).toBe('signup')
    const { data } = await client.setSession({
      access_token: opened.fragment.get('access_token') ?? '',
      refresh_token: opened.fragment.get('refresh_token') ?? '',
    })
    expect(data.user).toMatchObject({ email, user_metadata: { email_verified: true } })
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject({ email_verified: true })

    const again = await openLink(url)
    expect(again).toMatchObject({ status: 303, page: redirect })
    expect(Object.fromEntries(again.fragment)).toEqual({
      error: 'access_denied',
      error_code: 'otp_expired',
      error_description: 'Email link is invalid or has expired',
      sb: '',
    })
    expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
  })

  it('does not use up a link that a mail scanner fetches', async () => {
    const { email } = await signUp()
    const { url } = await readLinkMail(server, email)
    expect(await openLink(url, { method: 'HEAD' })).toMatchObject({ status: 200, location: '' })
    expect((await openLink(url)).fragment.get('access_token')).toEqual(expect.any(String))
  })

  it.each(['signup', 'email'] as const)('signs in by the typed code, as type %s', async (type) => {
    const { client, email } = await signUp()
    const { code } = await readLinkMail(server, email)
    const { data, error } = await client.verifyOtp({ email: ` ${email.toUpperCase()}`, token: code, type })
    expect(error).toBeNull()
    expect(data.user?.email_confirmed_at).toEqual(expect.any(String))
    expect((await client.verifyOtp({ email, token: code, type })).error).toMatchObject(OTP_EXPIRED)
  })

  it("signs in by the link's token, sent by the app", async () => {
    const { client, email } = await signUp()
    const { linkToken } = await readLinkMail(server, email)
    const wrongType = await client.verifyOtp({ token_hash: linkToken, type: 'recovery' })
    expect(wrongType.error).toMatchObject({ message: 'Email link is invalid or has expired' })
    const { data } = await client.verifyOtp({ token_hash: linkToken, type: 'signup' })
    expect(data.session?.user.email).toBe(email)
  })

  it('refuses an expired link and an expired code', async () => {
    const { client, email, redirect, data } = await signUp()
    const { url, code } = await readLinkMail(server, email)
    await server.context.db
      .updateTable('auth.one_time_tokens')
      .set({ code_expires_at: new Date(0), link_expires_at: new Date(0) })
      .where('user_id', '=', data.user?.id ?? '')
      .execute()
    const opened = await openLink(url)
    expect(opened.page).toBe(redirect)
    expect(opened.fragment.get('error_code')).toBe('otp_expired')
    const { error } = await client.verifyOtp({ email, token: code, type: 'signup' })
    expect(error).toMatchObject(OTP_EXPIRED)
  })

  it('gives a taken address the same answer as a new one, and mails its owner', async () => {
    const { email } = await signUp()
    await openLink((await readLinkMail(server, email)).url)
    const before = await readLinkMails(server, email)
    const second = await signUp(email, 'Other-Lantern-71')
    expect(second.error).toBeNull()
    expect(second.data.user).toMatchObject({ email, identities: [], user_metadata: { email } })
    const [told, ...earlier] = await readLinkMails(server, email)
    expect(earlier).toHaveLength(before.length)
    expect(told).toMatchObject({
      template: 'account_exists',
      url: `${server.context.config.http.publicUrl}/auth`,
      code: '',
    })
    const fresh = await signUp()
    expect(Object.keys(second.data.user ?? {}).toSorted()).toEqual(
      Object.keys(fresh.data.user ?? {}).toSorted(),
    )
    const client = server.newClient()
    expect((await client.signInWithPassword({ email, password: 'Other-Lantern-71' })).error?.code).toBe(
      'invalid_credentials',
    )
  })

  it('takes as long for a taken address as for a new one', async () => {
    const even = await startAuthServer({
      AUTH_EMAIL_AUTOCONFIRM: '0',
      AUTH_RATE_GAP_SECONDS: '0',
      AUTH_EVEN_MS: String(EVEN_MS),
    })
    onTestFinished(() => even.close())
    const { email } = await signUp(newEmail(), PASSWORD, even)
    await openLink((await readLinkMail(even, email)).url)
    const started = performance.now()
    await signUp(email, PASSWORD, even)
    expect(performance.now() - started).toBeGreaterThan(250)
  })

  it('stores codes and links only in encrypted form', async () => {
    const { email, data } = await signUp()
    const { code, linkToken } = await readLinkMail(server, email)
    const token = await server.context.db
      .selectFrom('auth.one_time_tokens')
      .selectAll()
      .where('user_id', '=', data.user?.id ?? '')
      .executeTakeFirstOrThrow()
    const row = await server.context.db
      .selectFrom('mails')
      .selectAll()
      .where('recipient_address', '=', email)
      .executeTakeFirstOrThrow()
    for (const text of [JSON.stringify(token), JSON.stringify(row)]) {
      expect(text).not.toContain(linkToken)
      expect(text).not.toContain(`"${code}"`)
    }
  })

  it('records the sign-up in the audit log, without the address', async () => {
    const { client, email, data } = await signUp()
    await client.verifyOtp({ email, token: '000000', type: 'signup' })
    await openLink((await readLinkMail(server, email)).url)
    const rows = await server.context.db
      .selectFrom('auth.audit_log')
      .selectAll()
      .where('user_id', '=', data.user?.id ?? '')
      .orderBy('id')
      .execute()
    expect(rows.map(({ action }) => action)).toEqual([
      'signed_up',
      'code_failed',
      'email_confirmed',
      'signed_in',
    ])
    expect(JSON.stringify(rows)).not.toContain(email)
  })
})
