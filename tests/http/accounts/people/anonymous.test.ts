import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { openLink, readLinkMail } from '../codes/read-link-mail.ts'
import { NEW_VERSION, newEmail, post, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

const ANONYMOUS = { AUTH_ANONYMOUS_USERS: '1', AUTH_RATE_GAP_SECONDS: '0' }

let server: AuthServer
let strict: AuthServer
beforeAll(async () => {
  server = await startAuthServer(ANONYMOUS)
  strict = await startAuthServer({ ...ANONYMOUS, AUTH_EMAIL_AUTOCONFIRM: '0' })
})
afterAll(() => Promise.all([server.close(), strict.close()]))

describe('an anonymous account', () => {
  it('gets a session at once, with the data exactly as given', async () => {
    const client = server.newClient()
    const { data, error } = await client.signInAnonymously({ options: { data: { theme: 'dark' } } })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ is_anonymous: true, email: '', phone: '', identities: [] })
    expect(data.user?.user_metadata).toEqual({ theme: 'dark' })
    expect(data.user?.app_metadata).toEqual({})
    const [, payload = ''] = data.session?.access_token.split('.') ?? []
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    expect(claims).toMatchObject({
      is_anonymous: true,
      role: 'authenticated',
      amr: [{ method: 'anonymous' }],
    })
    expect((await client.refreshSession()).error).toBeNull()
  })

  it('becomes permanent at once if addresses need no confirmation', async () => {
    const client = server.newClient()
    const { data: before } = await client.signInAnonymously({ options: { data: { theme: 'dark' } } })
    const email = newEmail()
    const { data, error } = await client.updateUser({ email, password: PASSWORD })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      id: before.user?.id,
      email,
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { theme: 'dark', email_verified: true },
    })
    expect((await server.newClient().signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
  })

  it('becomes permanent by the link sent to the new address', async () => {
    const client = strict.newClient()
    const { data: before } = await client.signInAnonymously()
    const email = newEmail()
    const { data } = await client.updateUser({ email })
    expect(data.user).toMatchObject({ is_anonymous: true, new_email: email, email: '' })
    const { fragment } = await openLink((await readLinkMail(strict, email)).url)
    const after = await client.getUser(fragment.get('access_token') ?? '')
    expect(after.data.user).toMatchObject({ id: before.user?.id, email, is_anonymous: false })
    expect(after.data.user?.identities).toHaveLength(1)
    const profile = await strict.context.db
      .selectFrom('profiles')
      .select('email')
      .where('user_id', '=', before.user?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(profile.email).toBe(email)
  })

  it('cannot have only a password, nor ask for a code', async () => {
    const client = server.newClient()
    await client.signInAnonymously()
    expect((await client.updateUser({ password: PASSWORD })).error).toMatchObject({
      status: 422,
      message: 'Updating password of an anonymous user without an email or phone is not allowed',
    })
    expect((await client.reauthenticate()).error).toMatchObject({
      status: 400,
      message: 'Reauthentication requires the user to have an email or a phone number',
    })
  })

  it('is refused if the policy forbids anonymous accounts or sign-up', async () => {
    const closed = await startAuthServer({ AUTH_SIGNUP_DISABLED: '1', AUTH_ANONYMOUS_USERS: '1' })
    const refusal = { status: 422, code: 'signup_disabled', message: 'Signups not allowed for this instance' }
    expect((await closed.newClient().signInAnonymously()).error).toMatchObject(refusal)
    const email = newEmail()
    expect((await closed.newClient().signUp({ email, password: PASSWORD })).error).toMatchObject(refusal)
    await closed.close()
  })

  it('has a limit of its own', async () => {
    const tight = await startAuthServer({ ...ANONYMOUS, AUTH_RATE_ANONYMOUS: '2' })
    for (let made = 0; made < 2; made += 1) expect((await post(tight, '/signup', {})).status).toBe(200)
    const { status, body } = await post(tight, '/signup', {}, NEW_VERSION)
    expect(status).toBe(429)
    expect(body).toMatchObject({ code: 'over_request_rate_limit' })
    expect(body.message).toContain('Too many requests')
    await tight.close()
  })
})
