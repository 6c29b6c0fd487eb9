import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { openLink, readLinkMail, readLinkMails } from '../codes/read-link-mail.ts'
import { newEmail, post, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'
import { signUpAt } from './sign-up-at.ts'

let server: AuthServer
let spaced: AuthServer
beforeAll(async () => {
  server = await startAuthServer({ AUTH_EMAIL_AUTOCONFIRM: '0', AUTH_RATE_GAP_SECONDS: '0' })
  spaced = await startAuthServer({ AUTH_EMAIL_AUTOCONFIRM: '0' })
})
afterAll(() => Promise.all([server.close(), spaced.close()]))

const OTP_EXPIRED = { status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' }

const signUp = (email?: string, password?: string, at = server) => signUpAt(at, email, password)

describe('sign-up with confirmation', () => {
  it('sends the mail again on request, and only the newest link works', async () => {
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
})

describe('a code', () => {
  it('stays valid after two wrong guesses, but not after three', async () => {
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

  it('is compared three times at most, however many guesses arrive at once', async () => {
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

  it('opens one session if the right code arrives ten times at once', async () => {
    const { email } = await signUp()
    const { code } = await readLinkMail(server, email)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(server, '/verify', { type: 'signup', email, token: code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('opens one session if its link is opened ten times at once', async () => {
    const { email } = await signUp()
    const { url } = await readLinkMail(server, email)
    const answers = await Promise.all(Array.from({ length: 10 }, () => openLink(url)))
    expect(answers.filter(({ fragment }) => fragment.has('access_token'))).toHaveLength(1)
  })
})

describe('the gap between two mails', () => {
  it('applies to known and unknown addresses alike', async () => {
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

  it('admits one of ten simultaneous requests', async () => {
    const email = newEmail()
    const client = spaced.newClient()
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.signInWithOtp({ email })))
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
    expect(await readLinkMails(spaced, email)).toHaveLength(1)
  })

  it('ends after its time', async () => {
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

describe('the limit of all mails', () => {
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
