import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { openLink, readLinkMail, readLinkMails } from './read-link-mail.ts'
import {
  NEW_VERSION,
  newEmail,
  post,
  signUpSomeone,
  startAuthServer,
  type AuthServer,
} from '../wire/start-auth-server.ts'

let server: AuthServer
let strict: AuthServer
beforeAll(async () => {
  server = await startAuthServer({ AUTH_RATE_GAP_SECONDS: '0', AUTH_REDIRECT_ALLOW_LIST: 'myapp://**' })
  strict = await startAuthServer({ AUTH_RATE_GAP_SECONDS: '0', AUTH_EMAIL_AUTOCONFIRM: '0' })
})
afterAll(() => Promise.all([server.close(), strict.close()]))

describe('a magic link', () => {
  it('signs in the owner of an account', async () => {
    const { email, user } = await signUpSomeone(server)
    const client = server.newClient()
    expect((await client.signInWithOtp({ email })).error).toBeNull()
    const mail = await readLinkMail(server, email)
    expect(mail).toMatchObject({ template: 'account_magic_link', type: 'magiclink' })
    const { fragment } = await openLink(mail.url)
    expect(fragment.get('type')).toBe('magiclink')
    const { data } = await client.getUser(fragment.get('access_token') ?? '')
    expect(data.user?.id).toBe(user.id)
    expect(data.user?.recovery_sent_at).toEqual(expect.any(String))
  })

  it.each(['email', 'magiclink'] as const)('also works by its code, as type %s', async (type) => {
    const { email, user } = await signUpSomeone(server)
    const client = server.newClient()
    await client.signInWithOtp({ email })
    const { code } = await readLinkMail(server, email)
    const { data } = await client.verifyOtp({ email, token: code, type })
    expect(data.user?.id).toBe(user.id)
    const claims = JSON.parse(
      Buffer.from(data.session?.access_token.split('.')[1] ?? '', 'base64url').toString(),
    ) as { amr: { method: string }[] }
    expect(claims.amr.map(({ method }) => method)).toEqual(['otp'])
  })

  it('creates an account for an unknown address, which the mail confirms', async () => {
    const email = newEmail()
    const client = strict.newClient()
    await client.signInWithOtp({ email, options: { data: { name: 'Ada' } } })
    const { template, code } = await readLinkMail(strict, email)
    expect(template).toBe('account_confirm')
    const { data } = await client.verifyOtp({ email, token: code, type: 'email' })
    expect(data.user).toMatchObject({ email, user_metadata: { name: 'Ada', email_verified: true } })
  })

  it('creates no account if that is not wanted', async () => {
    const email = newEmail()
    const { error } = await server.newClient().signInWithOtp({ email, options: { shouldCreateUser: false } })
    expect(error).toMatchObject({ status: 422, code: 'otp_disabled', message: 'Signups not allowed for otp' })
    expect(await readLinkMails(server, email)).toHaveLength(0)
  })

  it('removes the password of an account whose address was never confirmed', async () => {
    const email = newEmail()
    const client = strict.newClient()
    await client.signUp({ email, password: PASSWORD })
    await client.signInWithOtp({ email })
    const { code } = await readLinkMail(strict, email)
    expect((await client.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull()
    const { error } = await client.signInWithPassword({ email, password: PASSWORD })
    expect(error?.code).toBe('invalid_credentials')
  })

  it('is refused to a banned account when it is used', async () => {
    const { email, user } = await signUpSomeone(server)
    await server.newClient().signInWithOtp({ email })
    const { url, code } = await readLinkMail(server, email)
    await server.context.db
      .updateTable('auth.users')
      .set({ banned_until: new Date(Date.now() + 60_000) })
      .where('id', '=', user.id)
      .execute()
    expect((await openLink(url)).fragment.get('error_code')).toBe('user_banned')
    const { error } = await server.newClient().verifyOtp({ email, token: code, type: 'email' })
    expect(error).toMatchObject({ status: 403, code: 'user_banned' })
  })

  it('is also sent by the older API call', async () => {
    const { email } = await signUpSomeone(server)
    expect((await post(server, '/magiclink', { email })).status).toBe(200)
    expect((await readLinkMail(server, email)).template).toBe('account_magic_link')
  })

  it.each([
    [{}, 400, 'validation_failed', 'One of email or phone must be set'],
    [
      { email: 'a@example.com', phone: '+12125550123' },
      400,
      'validation_failed',
      'Only an email address or phone number should be provided',
    ],
    [
      { email: 'a@example.com', channel: 'sms' },
      400,
      'validation_failed',
      'Channel should only be specified with Phone OTP',
    ],
    [
      { email: 'a@example.com\nBcc: b@example.com' },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
    [
      { email: 'pаypal@example.com' },
      400,
      'validation_failed',
      'Unable to validate email address: invalid format',
    ],
    [{ phone: '+12125550123' }, 422, 'phone_provider_disabled', 'Phone logins are disabled'],
    [
      { email: 'a@example.com', code_challenge: 'x'.repeat(43) },
      400,
      'validation_failed',
      'PKCE flow requires code_challenge_method and code_challenge',
    ],
  ])('is refused for %j', async (given, status, code, message) => {
    const answer = await post(server, '/otp', given, NEW_VERSION)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code, message })
  })
})

describe('the redirect of a link', () => {
  async function landing(redirectTo: string) {
    const { email } = await signUpSomeone(server)
    const query = redirectTo === '' ? '' : `?redirect_to=${encodeURIComponent(redirectTo)}`
    await post(server, `/otp${query}`, { email })
    const mail = await readLinkMail(server, email)
    return await openLink(mail.url)
  }

  it.each(['/dashboard', '/auth?next=%2Fleads'])('can be our page %s', async (path) => {
    const wanted = `${new URL(server.url).origin}${path}`
    const { location } = await landing(wanted)
    expect(location.startsWith(`${wanted}#access_token=`)).toBe(true)
  })

  it('can be an address of the allow list', async () => {
    const { location } = await landing('myapp://signed-in/here')
    expect(location.startsWith('myapp://signed-in/here#access_token=')).toBe(true)
  })

  it.each([
    '',
    'https://evil.example/',
    '//evil.example/',
    'https:\\\\evil.example',
    'http://127.0.0.1:1@evil.example/',
    'javascript:alert(1)',
    'http://2130706433.evil.example/',
    'http://8.8.8.8/',
  ])('is the app instead of %s', async (wanted) => {
    const { page } = await landing(wanted)
    expect(page).toBe(`${new URL(server.url).origin}/`)
  })

  it('cannot be changed in the mail’s link', async () => {
    const { email } = await signUpSomeone(server)
    await post(server, '/otp', { email })
    const url = new URL((await readLinkMail(server, email)).url)
    url.searchParams.set('redirect_to', 'https://evil.example/')
    expect((await openLink(url.href)).page).toBe(`${new URL(server.url).origin}/`)
  })
})

describe('/verify refuses', () => {
  it.each([
    [{ token: '123456', email: 'a@example.com' }, 'Verify requires a verification type'],
    [{ type: 'email', email: 'a@example.com' }, 'Verify requires either a token or a token hash'],
    [
      { type: 'email', token: '123456', token_hash: 'abc', email: 'a@example.com' },
      'Verify requires either a token or a token hash',
    ],
    [
      { type: 'email', token_hash: 'abc', email: 'a@example.com' },
      'Only the token_hash and type should be provided',
    ],
    [
      { type: 'email', token: '123456' },
      'Only an email address or phone number should be provided on verify',
    ],
    [
      { type: 'email', token: '123456', email: 'a@example.com', phone: '+12125550123' },
      'Only an email address or phone number should be provided on verify',
    ],
    [{ type: 'magic', token: '123456', email: 'a@example.com' }, 'Unsupported verification type'],
    [{ type: 'constructor', token_hash: 'abc' }, 'Unsupported verification type'],
  ])('%j', async (given, message) => {
    const { status, body } = await post(server, '/verify', given, NEW_VERSION)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'validation_failed', message })
  })

  it('a link without a token, in JSON because no page is known', async () => {
    expect((await openLink(`${server.url}/verify?type=signup`)).status).toBe(400)
    expect((await openLink(`${server.url}/verify?token=abc`)).status).toBe(400)
  })

  it('the thirty-first try from one address within five minutes', async () => {
    const tight = await startAuthServer({ AUTH_RATE_VERIFY: '3' })
    const given = { type: 'email', token: '123456', email: 'a@example.com' }
    for (let tried = 0; tried < 3; tried += 1) expect((await post(tight, '/verify', given)).status).toBe(403)
    const { status, headers, body } = await post(tight, '/verify', given, NEW_VERSION)
    expect(status).toBe(429)
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(body.message).toContain('Too many requests')
    await tight.close()
  })
})
