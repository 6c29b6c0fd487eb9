import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { openLink, readLinkMail, readLinkMails } from './read-link-mail.ts'
import {
  call,
  newEmail,
  post,
  signUpSomeone,
  startAuthServer,
  type AuthServer,
} from '../wire/start-auth-server.ts'

let server: AuthServer
let simple: AuthServer
beforeAll(async () => {
  server = await startAuthServer({ AUTH_RATE_GAP_SECONDS: '0' })
  simple = await startAuthServer({ AUTH_RATE_GAP_SECONDS: '0', AUTH_SECURE_EMAIL_CHANGE: '0' })
})
afterAll(() => Promise.all([server.close(), simple.close()]))

const HALF = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

async function begin(at = server) {
  const someone = await signUpSomeone(at)
  const next = newEmail()
  const { data, error } = await someone.client.updateUser({ email: next })
  expect(error).toBeNull()
  expect(data.user).toMatchObject({ email: someone.email, new_email: next })
  return { ...someone, next }
}

describe('a change of the e-mail address', () => {
  it.each([
    ['the old address first', true],
    ['the new address first', false],
  ])('needs both addresses: %s', async (_what, oldFirst) => {
    const { email, next, user, client } = await begin()
    const [first, second] = oldFirst ? [email, next] : [next, email]
    const half = await openLink((await readLinkMail(server, first)).url)
    expect(Object.fromEntries(half.fragment)).toEqual({ message: HALF, sb: '' })
    expect((await client.getUser()).data.user?.email).toBe(email)
    const whole = await openLink((await readLinkMail(server, second)).url)
    expect(whole.fragment.get('type')).toBe('email_change')
    const { data } = await client.getUser(whole.fragment.get('access_token') ?? '')
    expect(data.user).toMatchObject({ id: user.id, email: next, user_metadata: { email: next } })
    expect(data.user?.new_email).toBeUndefined()
    expect(data.user?.identities).toMatchObject([{ identity_data: { email: next } }])
    const other = server.newClient()
    expect((await other.signInWithPassword({ email: next, password: PASSWORD })).error).toBeNull()
    expect((await other.signInWithPassword({ email, password: PASSWORD })).error).not.toBeNull()
  })

  it('is not made if one address agrees twice', async () => {
    const { email, next, client } = await begin()
    await openLink((await readLinkMail(server, next)).url)
    await client.resend({ type: 'email_change', email })
    await openLink((await readLinkMail(server, next)).url)
    await client.resend({ type: 'email_change', email })
    const { fragment } = await openLink((await readLinkMail(server, next)).url)
    expect(fragment.get('message')).toBe(HALF)
    expect((await client.getUser()).data.user?.email).toBe(email)
  })

  it('remembers the consent of an address when the mails are sent again', async () => {
    const { email, next, client } = await begin()
    await openLink((await readLinkMail(server, email)).url)
    await client.resend({ type: 'email_change', email })
    const { fragment } = await openLink((await readLinkMail(server, next)).url)
    expect(fragment.get('type')).toBe('email_change')
    expect((await client.getUser()).data.user?.email).toBe(next)
  })

  it('is made once if both links are opened at the same time', async () => {
    const { email, next, client } = await begin()
    const urls = [(await readLinkMail(server, email)).url, (await readLinkMail(server, next)).url]
    const ends = await Promise.all(urls.map((url) => openLink(url)))
    expect(ends.filter(({ fragment }) => fragment.has('access_token'))).toHaveLength(1)
    expect((await client.getUser()).data.user?.email).toBe(next)
  })

  it('also works by codes', async () => {
    const { email, next, client } = await begin()
    const first = await readLinkMail(server, email)
    const given = { type: 'email_change', email, token: first.code }
    expect((await post(server, '/verify', given)).body).toEqual({ msg: HALF, code: '200' })
    const second = await readLinkMail(server, next)
    const { data } = await client.verifyOtp({ email: next, token: second.code, type: 'email_change' })
    expect(data.user?.email).toBe(next)
  })

  it('forgets the consent of an address when another new address is requested', async () => {
    const { email, next, client } = await begin()
    await openLink((await readLinkMail(server, email)).url)
    const late = await readLinkMail(server, next)
    const third = newEmail()
    await client.updateUser({ email: third })
    expect((await openLink(late.url)).fragment.get('error_code')).toBe('otp_expired')
    expect((await openLink((await readLinkMail(server, third)).url)).fragment.get('message')).toBe(HALF)
    expect((await client.getUser()).data.user?.email).toBe(email)
  })

  it('does not happen if an expired link is opened', async () => {
    const { email, next, user, client } = await begin()
    const { db } = server.context
    await db
      .updateTable('auth.one_time_tokens')
      .set({ link_expires_at: new Date(0) })
      .where('user_id', '=', user.id)
      .where('kind', '=', 'email_change_current')
      .execute()
    expect((await openLink((await readLinkMail(server, email)).url)).fragment.get('error_code')).toBe(
      'otp_expired',
    )
    expect((await openLink((await readLinkMail(server, next)).url)).fragment.get('message')).toBe(HALF)
    expect((await client.getUser()).data.user?.email).toBe(email)
  })

  it('needs only the new address if the policy says so', async () => {
    const { email, next, client } = await begin(simple)
    expect(await readLinkMails(simple, email)).toHaveLength(0)
    await openLink((await readLinkMail(simple, next)).url)
    expect((await client.getUser()).data.user?.email).toBe(next)
  })

  it('is refused for a taken address, also if it is taken in the meantime', async () => {
    const other = await signUpSomeone(simple)
    const { client, next } = await begin(simple)
    expect((await client.updateUser({ email: other.email })).error).toMatchObject({
      status: 422,
      code: 'email_exists',
      message: 'A user with this email address has already been registered',
    })
    await simple.newClient().signUp({ email: next, password: PASSWORD })
    expect((await openLink((await readLinkMail(simple, next)).url)).fragment.get('error_code')).toBe(
      'email_exists',
    )
  })

  it('invalidates links that were sent to the old address', async () => {
    const { email, next, client } = await begin(simple)
    await client.resetPasswordForEmail(email)
    await openLink((await readLinkMail(simple, next)).url)
    expect((await openLink((await readLinkMail(simple, email)).url)).fragment.get('error_code')).toBe(
      'otp_expired',
    )
  })
})

describe('PUT /user', () => {
  it('merges data, and a null member deletes its key', async () => {
    const { client } = await signUpSomeone(server)
    await client.updateUser({ data: { a: 1, b: { c: 2 } } })
    const { data } = await client.updateUser({ data: { a: null, d: 3 } })
    expect(data.user?.user_metadata).toMatchObject({ b: { c: 2 }, d: 3 })
    expect(data.user?.user_metadata).not.toHaveProperty('a')
  })

  it('refuses data that is too large, and app_metadata except from administrators', async () => {
    const { client, session, user } = await signUpSomeone(server)
    expect((await client.updateUser({ data: { a: 'x'.repeat(5000) } })).error?.code).toBe('validation_failed')
    const put = () =>
      call(server, '/user', {
        method: 'PUT',
        headers: { Authorization: `Bearer ${session.access_token}`, 'X-Supabase-Api-Version': '2024-01-01' },
        body: JSON.stringify({ app_metadata: { plan: 'gold' } }),
      })
    const refused = await put()
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({
      code: 'not_admin',
      message: 'Updating app_metadata requires admin privileges',
    })
    await server.context.db
      .updateTable('profiles')
      .set({ role: 'admin' })
      .where('user_id', '=', user.id)
      .execute()
    expect((await put()).body).toMatchObject({ app_metadata: { plan: 'gold', provider: 'email' } })
  })

  it('needs an existing second factor for a change of address or password', async () => {
    const { client, user } = await signUpSomeone(server)
    await server.context.db
      .insertInto('auth.factors')
      .values({ user_id: user.id, friendly_name: 'phone', factor_type: 'totp', status: 'verified' })
      .execute()
    for (const change of [{ email: newEmail() }, { password: 'Copper-Lantern-94' }])
      expect((await client.updateUser(change)).error).toMatchObject({
        status: 401,
        code: 'insufficient_aal',
        message: 'AAL2 session is required to update email or password when MFA is enabled.',
      })
    expect((await client.updateUser({ data: { a: 1 } })).error).toBeNull()
  })
})
