import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { call, newEmail, post, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'
import { startFormServer, type FormServer } from '../wire/start-form-server.ts'

let provider: FormServer
let server: AuthServer
beforeAll(async () => {
  provider = await startFormServer(({ response }) =>
    response === 'broken'
      ? { status: 503, body: {} }
      : {
          body:
            response === 'solved'
              ? { success: true }
              : { success: false, 'error-codes': ['invalid-input-response', 'Ünsafe <b>words</b>'] },
        },
  )
  server = await startAuthServer({
    AUTH_CAPTCHA_PROVIDER: 'turnstile',
    AUTH_CAPTCHA_SECRET: 'shared',
    AUTH_CAPTCHA_SITE_KEY: 'site-of-leadwire',
    AUTH_CAPTCHA_URL: `${provider.url}/siteverify`,
  })
})
afterAll(() => Promise.all([server.close(), provider.close()]))

describe('a captcha', () => {
  it('that was solved admits sign-up and sign-in, and is checked with the caller’s address', async () => {
    const email = newEmail()
    const client = server.newClient()
    const options = { captchaToken: 'solved' }
    expect((await client.signUp({ email, password: PASSWORD, options })).error).toBeNull()
    expect(provider.forms.at(-1)?.form).toEqual({
      secret: 'shared',
      response: 'solved',
      remoteip: expect.stringContaining('127.0.0.1') as string,
    })
    expect((await client.signInWithPassword({ email, password: PASSWORD, options })).error).toBeNull()
    expect((await client.refreshSession()).error).toBeNull()
  })

  it.each([
    ['/signup', { password: PASSWORD }],
    ['/otp', {}],
    ['/magiclink', {}],
    ['/recover', {}],
    ['/resend', { type: 'signup' }],
    ['/token?grant_type=password', { password: PASSWORD }],
  ])('is required at %s', async (path, given) => {
    const answer = await post(
      server,
      path,
      { email: newEmail(), ...given },
      { 'X-Supabase-Api-Version': '2024-01-01' },
    )
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      code: 'captcha_failed',
      message: 'captcha protection: request disallowed (no captcha response found in request)',
    })
  })

  it('that was not solved is refused with the provider’s codes, but not its text', async () => {
    const { error } = await server.newClient().resetPasswordForEmail(newEmail(), { captchaToken: 'guessed' })
    expect(error).toMatchObject({
      status: 400,
      code: 'captcha_failed',
      message: 'captcha protection: request disallowed (invalid-input-response)',
    })
  })

  it('is published only with its public key', async () => {
    const { body } = await call(server, '/settings')
    const script_url = 'https://challenges.cloudflare.com/turnstile/v0/api.js'
    expect(body).toMatchObject({
      captcha: { provider: 'turnstile', site_key: 'site-of-leadwire', script_url },
    })
    expect(JSON.stringify(body)).not.toContain('shared')
  })

  it('that cannot be checked is refused', async () => {
    const { error } = await server.newClient().resetPasswordForEmail(newEmail(), { captchaToken: 'broken' })
    expect(error?.code).toBe('captcha_failed')
  })
})
