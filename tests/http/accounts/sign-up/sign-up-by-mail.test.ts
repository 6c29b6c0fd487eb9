import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { EVEN_MS } from '#core/config/auth-variables.ts'
import { openLink, readLinkMail, readLinkMails } from '../codes/read-link-mail.ts'
import { newEmail, PASSWORD, post, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

let server: AuthServer
let spaced: AuthServer
beforeAll(async () => {
  server = await startAuthServer({ AUTH_EMAIL_AUTOCONFIRM: '0', AUTH_RATE_GAP_SECONDS: '0' })
  spaced = await startAuthServer({ AUTH_EMAIL_AUTOCONFIRM: '0' })
})
afterAll(() => Promise.all([server.close(), spaced.close()]))

const OTP_EXPIRED = { status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' }

async function signUp(email = newEmail(), password = PASSWORD, at = server) {
  const client = at.newClient()
  const redirect = `${new URL(at.url).origin}/dashboard`
  const answer = await client.signUp({ email, password, options: { emailRedirectTo: redirect } })
  return { client, email, redirect, ...answer }
}

describe('sign-up with confirmation', () => {
  it('answers a user without a session, and mails a link and a code', async () => {
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

  it('keeps the password out until the address is confirmed', async () => {
    const { client, email } = await signUp()
    const { error } = await client.signInWithPassword({ email, password: PASSWORD })
    expect(error).toMatchObject({ status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' })
  })

  it('signs in at the page that was asked for when the link is opened, once', async () => {
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

  it('does not spend a link that a mail scanner looks at', async () => {
    const { email } = await signUp()
    const { url } = await readLinkMail(server, email)
    expect(await openLink(url, { method: 'HEAD' })).toMatchObject({ status: 200, location: '' })
    expect((await openLink(url)).fragment.get('access_token')).toEqual(expect.any(String))
  })

  it.each(['signup', 'email'] as const)(
    'signs in by the code that was typed in, as type %s',
    async (type) => {
      const { client, email } = await signUp()
      const { code } = await readLinkMail(server, email)
      const { data, error } = await client.verifyOtp({ email: ` ${email.toUpperCase()}`, token: code, type })
      expect(error).toBeNull()
      expect(data.user?.email_confirmed_at).toEqual(expect.any(String))
      expect((await client.verifyOtp({ email, token: code, type })).error).toMatchObject(OTP_EXPIRED)
    },
  )

  it("signs in by the link's token, sent by the app itself", async () => {
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

  it('answers a taken address like a new one, without identities, and mails its owner nothing', async () => {
    const { email } = await signUp()
    await openLink((await readLinkMail(server, email)).url)
    const before = await readLinkMails(server, email)
    const second = await signUp(email, 'Other-Lantern-71')
    expect(second.error).toBeNull()
    expect(second.data.user).toMatchObject({ email, identities: [], user_metadata: { email } })
    expect(await readLinkMails(server, email)).toHaveLength(before.length)
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

  it('mails again on request, and only the newest link works', async () => {
    const { client, email } = await signUp()
    const old = await readLinkMail(server, email)
    expect((await client.resend({ type: 'signup', email })).error).toBeNull()
    const fresh = await readLinkMail(server, email)
    expect(fresh.url).not.toBe(old.url)
    expect((await openLink(old.url)).fragment.get('error_code')).toBe('otp_expired')
    expect((await openLink(fresh.url)).fragment.get('type')).toBe('signup')
    const mails = await readLinkMails(server, email)
    expect((await client.resend({ type: 'signup', email })).error).toBeNull()
    expect((await client.resend({ type: 'signup', email: newEmail() })).error).toBeNull()
    expect(await readLinkMails(server, email)).toHaveLength(mails.length)
  })

  it('never stores a code or a link in the clear', async () => {
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

  it('writes what happened into the audit log, without the address', async () => {
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

describe('a code', () => {
  it('survives two wrong guesses and no third', async () => {
    const { client, email } = await signUp()
    const { code } = await readLinkMail(server, email)
    const wrong = code === '111111' ? '222222' : '111111'
    for (let guess = 0; guess < 3; guess += 1) {
      const { error } = await client.verifyOtp({ email, token: wrong, type: 'signup' })
      expect(error).toMatchObject(OTP_EXPIRED)
    }
    expect((await client.verifyOtp({ email, token: code, type: 'signup' })).error).toMatchObject(OTP_EXPIRED)
    expect((await openLink((await readLinkMail(server, email)).url)).fragment.get('type')).toBe('signup')
  })

  it('is judged three times at most, however many guesses arrive at once', async () => {
    const { client, email, data } = await signUp()
    const { code } = await readLinkMail(server, email)
    const guesses = Array.from({ length: 60 }, (_, index) =>
      post(server, '/verify', {
        type: 'signup',
        email,
        token: String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0'),
      }),
    )
    expect((await Promise.all(guesses)).every(({ status }) => status === 403)).toBe(true)
    expect((await client.verifyOtp({ email, token: code, type: 'signup' })).error).toMatchObject(OTP_EXPIRED)
    const { email_confirmed_at } = await server.context.db
      .selectFrom('auth.users')
      .select('email_confirmed_at')
      .where('id', '=', data.user?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(email_confirmed_at).toBeNull()
  })

  it('opens one session when the right one arrives ten times at once', async () => {
    const { email } = await signUp()
    const { code } = await readLinkMail(server, email)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(server, '/verify', { type: 'signup', email, token: code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('opens one session when its link is opened ten times at once', async () => {
    const { email } = await signUp()
    const { url } = await readLinkMail(server, email)
    const answers = await Promise.all(Array.from({ length: 10 }, () => openLink(url)))
    expect(answers.filter(({ fragment }) => fragment.has('access_token'))).toHaveLength(1)
  })
})

describe('the gap between two mails', () => {
  it('holds back known and unknown addresses alike', async () => {
    const { email, client } = await signUp(newEmail(), PASSWORD, spaced)
    const again = await signUp(email, PASSWORD, spaced)
    expect(again.error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' })
    expect(again.error?.message).toMatch(
      /^For security purposes, you can only request this after \d+ seconds\.$/,
    )
    for (const address of [email, 'nobody-at-all@example.com']) {
      expect((await client.resetPasswordForEmail(address)).error).toBeNull()
      expect((await client.resetPasswordForEmail(address)).error?.code).toBe('over_email_send_rate_limit')
    }
  })

  it('lets one of ten parallel requests through', async () => {
    const email = newEmail()
    const client = spaced.newClient()
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.signInWithOtp({ email })))
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
    expect(await readLinkMails(spaced, email)).toHaveLength(1)
  })

  it('is over after its time', async () => {
    const email = newEmail()
    await signUp(email, PASSWORD, spaced)
    await spaced.context.db
      .updateTable('auth.send_gaps')
      .set({ sent_at: new Date(0) })
      .execute()
    expect((await signUp(email, PASSWORD, spaced)).error).toBeNull()
    expect(await readLinkMails(spaced, email)).toHaveLength(2)
  })
})

describe('the limit to all mails', () => {
  it('refuses known and unknown addresses alike once it is reached', async () => {
    const tight = await startAuthServer({ AUTH_EMAIL_AUTOCONFIRM: '0', AUTH_RATE_MAIL: '1' })
    const { email } = await signUp(newEmail(), PASSWORD, tight)
    for (const address of [email, newEmail()]) {
      const { error } = await tight.newClient().resetPasswordForEmail(address)
      expect(error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' })
      expect(error?.message).toMatch(/^email rate limit exceeded\. Too many requests/)
    }
    await tight.close()
  })
})
