import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import {
  call,
  NEW_VERSION,
  newEmail,
  post,
  signUpSomeone,
  startAuthServer,
  type AuthServer,
} from '../wire/start-auth-server.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

describe('sign-up', () => {
  it('signs a new client in at once, with a profile that the server determines', async () => {
    const email = newEmail()
    const { data, error } = await server.newClient().signUp({
      email: `  ${email.toUpperCase()} `,
      password: PASSWORD,
      options: { data: { name: 'Ada Example', role: 'admin', dropped: null } },
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      email,
      aud: 'authenticated',
      role: 'authenticated',
      app_metadata: { provider: 'email', providers: ['email'] },
      is_anonymous: false,
    })
    expect(data.user?.user_metadata).toEqual({
      name: 'Ada Example',
      role: 'admin',
      sub: data.user?.id,
      email,
      email_verified: true,
      phone_verified: false,
    })
    expect(data.user?.identities).toHaveLength(1)
    expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    const profile = await server.context.db
      .selectFrom('profiles')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(profile).toMatchObject({ name: 'Ada Example', role: 'client', status: 'active', balance: '0.00' })
  })

  it('uses the part before the @ as the name of a client without one', async () => {
    const { email, user } = await signUpSomeone(server)
    const { name } = await server.context.db
      .selectFrom('profiles')
      .select('name')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(name).toBe(email.split('@')[0])
  })

  it('stores an argon2id hash and no password', async () => {
    const { user } = await signUpSomeone(server)
    const { password_hash } = await server.context.db
      .selectFrom('auth.users')
      .select('password_hash')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=1024,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  })

  it('refuses an address that is taken, in any case', async () => {
    const { email } = await signUpSomeone(server)
    const { error } = await server.newClient().signUp({ email: email.toUpperCase(), password: PASSWORD })
    expect(error).toMatchObject({
      status: 422,
      code: 'user_already_exists',
      message: 'User already registered',
    })
  })

  it('accepts one of twenty simultaneous sign-ups with the same address', async () => {
    const email = newEmail()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.newClient().signUp({ email, password: PASSWORD })),
    )
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
    expect(answers.filter(({ error }) => error?.code === 'user_already_exists')).toHaveLength(19)
  })

  it('refuses a weak password with every reason', async () => {
    const { error } = await server.newClient().signUp({ email: newEmail(), password: 'aaa' })
    expect(error).toMatchObject({
      name: 'AuthWeakPasswordError',
      status: 422,
      code: 'weak_password',
      reasons: ['length', 'characters', 'patterns'],
      message: [
        'Password must be at least 8 characters',
        'Password must contain at least one lowercase, uppercase, number, and special character',
        'Password contains weak patterns or insufficient complexity',
      ].join('. '),
    })
  })

  it('refuses an invalid address', async () => {
    const { status, body } = await post(
      server,
      '/signup',
      { email: 'no at sign', password: PASSWORD },
      NEW_VERSION,
    )
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'validation_failed',
      message: 'Unable to validate email address: invalid format',
    })
  })

  it('treats null members as absent and ignores unknown members', async () => {
    const { status, body } = await post(server, '/signup', {
      email: newEmail(),
      password: PASSWORD,
      phone: null,
      data: null,
      code_challenge: null,
      code_challenge_method: null,
      gotrue_meta_security: { captcha_token: null },
      favourite_colour: 'teal',
    })
    expect(status).toBe(200)
    expect(body.access_token).toEqual(expect.any(String))
  })

  it.each([
    ['no address', { password: PASSWORD }, 422, 'anonymous_provider_disabled'],
    ['a phone number', { phone: '+12125550123', password: PASSWORD }, 400, 'phone_provider_disabled'],
    ['both', { email: 'a@example.com', phone: '+12125550123', password: PASSWORD }, 400, 'validation_failed'],
    ['no password', { email: 'a@example.com' }, 400, 'validation_failed'],
    ['a password that is a number', { email: 'a@example.com', password: 12345678 }, 400, 'bad_json'],
    ['a list', [], 400, 'bad_json'],
    ['text that is not JSON', '{"email":', 400, 'bad_json'],
    [
      'NUL in the data',
      { email: 'nul@example.com', password: PASSWORD, data: { a: '\u0000' } },
      400,
      'validation_failed',
    ],
    [
      'half a character',
      { email: 'h@example.com', password: PASSWORD, data: { a: '\ud800' } },
      400,
      'validation_failed',
    ],
    [
      'too much data',
      { email: 'b@example.com', password: PASSWORD, data: { a: 'x'.repeat(5000) } },
      400,
      'validation_failed',
    ],
  ])('refuses %s', async (_what, given, status, code) => {
    const answer = await post(server, '/signup', given, NEW_VERSION)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ code })
  })

  it('never repeats a body that it cannot read', async () => {
    const { body } = await post(server, '/signup', '{"password":"Quartz-secret"; }', NEW_VERSION)
    expect(body.message).toMatch(/^Could not parse request body as JSON: /)
    expect(JSON.stringify(body)).not.toContain('Quartz-secret')
  })

  it('refuses a body over 1 MiB', async () => {
    const { status, body } = await post(
      server,
      '/signup',
      { data: { a: 'x'.repeat(1_048_576) } },
      NEW_VERSION,
    )
    expect(status).toBe(413)
    expect(body).toMatchObject({
      code: 'request_entity_too_large',
      message: 'Request body too large (max 1048576 bytes)',
    })
  })

  it('states in its settings that accounts are confirmed at once', async () => {
    const { body } = await call(server, '/settings')
    expect(body).toMatchObject({ mailer_autoconfirm: true, disable_signup: false, external: { email: true } })
  })
})
