import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { newAdministrator, serviceKey } from '../people/administer.ts'
import { readMail } from './read-mail.ts'
import {
  call,
  newEmail,
  post,
  signUpSomeone,
  startAuthServer,
  type AuthServer,
} from '../wire/start-auth-server.ts'

let server: AuthServer
let admin: Awaited<ReturnType<typeof newAdministrator>>['auth']['admin']
let headers: Record<string, string>
beforeAll(async () => {
  server = await startAuthServer({ AUTH_REDIRECT_ALLOW_LIST: 'https://app.example.com/*' })
  admin = (await newAdministrator(server)).auth.admin
  headers = {
    'X-Supabase-Api-Version': '2024-01-01',
    Authorization: `Bearer ${await serviceKey(server.context)}`,
  }
})
afterAll(() => server.close())

const countMails = async () => {
  const rows = await server.context.db.selectFrom('mails').select('id').execute()
  return rows.length
}
const generate = async (params: Parameters<typeof admin.generateLink>[0]) => {
  const { data, error } = await admin.generateLink(params)
  if (error !== null) throw error
  return data
}

describe.each(['/invite', '/admin/generate_link'])('POST %s', (path) => {
  it('is only for administrators', async () => {
    const { session } = await signUpSomeone(server)
    expect((await post(server, path, {})).status).toBe(401)
    const bearer = { Authorization: `Bearer ${session.access_token}` }
    expect((await post(server, path, { type: 'magiclink', email: newEmail() }, bearer)).status).toBe(403)
  })
})

describe('inviteUserByEmail', () => {
  it('creates an unconfirmed account and mails its link', async () => {
    const email = newEmail()
    const { data, error } = await admin.inviteUserByEmail(email, {
      data: { name: 'Ada Example' },
      redirectTo: 'https://app.example.com/welcome',
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email, user_metadata: { name: 'Ada Example' } })
    expect(data.user?.invited_at).toEqual(expect.any(String))
    expect(data.user?.email_confirmed_at).toBeUndefined()
    const mail = await readMail(server, email)
    expect(mail).toMatchObject({ template: 'account_invite', data: { address: email } })
    const link = new URL(mail.data.url ?? '')
    expect(link.origin + link.pathname).toBe(`${server.context.config.http.publicUrl}/auth/verify`)
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      type: 'invite',
      redirect_to: 'https://app.example.com/welcome',
    })
    const audit = await server.context.db
      .selectFrom('auth.audit_log')
      .select(['action', 'actor'])
      .where('user_id', '=', data.user?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(audit).toEqual({ action: 'user_invited', actor: 'service' })
  })

  it('replaces the first invitation by the second', async () => {
    const email = newEmail()
    const first = await admin.inviteUserByEmail(email)
    const { url: old } = (await readMail(server, email)).data
    const second = await admin.inviteUserByEmail(email)
    expect(second.data.user?.id).toBe(first.data.user?.id)
    expect((await readMail(server, email)).data.url).not.toBe(old)
  })

  it('refuses a confirmed account and an invalid address', async () => {
    const { email } = await signUpSomeone(server)
    expect((await admin.inviteUserByEmail(email)).error).toMatchObject({ status: 422, code: 'email_exists' })
    expect((await admin.inviteUserByEmail('a@example.com\nBcc: b@example.com')).error).toMatchObject({
      status: 400,
      code: 'validation_failed',
    })
    expect((await admin.inviteUserByEmail('')).error).toMatchObject({
      message: 'An email address is required',
    })
  })

  it.each([
    'https://evil.example.com/',
    'https://app.example.com@evil.com/x',
    '//evil.com',
    'https:\\\\evil.com',
  ])('links to the app instead of %s', async (wanted) => {
    const email = newEmail()
    await admin.inviteUserByEmail(email, { redirectTo: wanted })
    const { url } = (await readMail(server, email)).data
    expect(new URL(url ?? '').searchParams.get('redirect_to')).toBe(server.context.config.http.publicUrl)
  })
})

describe('generateLink', () => {
  it('returns what a mail would contain, and sends none', async () => {
    const { email, user } = await signUpSomeone(server)
    const before = await countMails()
    const { properties, user: shown } = await generate({
      type: 'magiclink',
      email,
      options: { redirectTo: 'https://app.example.com/in' },
    })
    expect(await countMails()).toBe(before)
    expect(shown?.id).toBe(user.id)
    expect(properties).toMatchObject({
      verification_type: 'magiclink',
      redirect_to: 'https://app.example.com/in',
      email_otp: expect.stringMatching(/^\d{6}$/) as string,
    })
    const link = new URL(properties?.action_link ?? '')
    expect(link.searchParams.get('token')).toBe(properties?.hashed_token)
    expect(link.searchParams.get('type')).toBe('magiclink')
  })

  it.each(['magiclink', 'recovery', 'invite', 'signup'] as const)(
    'signs the user in by a %s link’s hash, and by its code',
    async (type) => {
      const known = type === 'magiclink' || type === 'recovery'
      const email = known ? (await signUpSomeone(server)).email : newEmail()
      const make = () => generate({ type, email, password: PASSWORD })
      const { properties } = await make()
      const byHash = await server.newClient().verifyOtp({ type, token_hash: properties?.hashed_token ?? '' })
      expect(byHash.error).toBeNull()
      expect(byHash.data.user).toMatchObject({ email })
      expect(byHash.data.user?.email_confirmed_at).toEqual(expect.any(String))
      if (!known) return
      const again = await make()
      const token = again.properties?.email_otp ?? ''
      expect((await server.newClient().verifyOtp({ type, email, token })).error).toBeNull()
      expect((await server.newClient().verifyOtp({ type, email, token })).error).toMatchObject({
        code: 'otp_expired',
      })
    },
  )

  it('changes the address once both addresses have agreed', async () => {
    const { email, user } = await signUpSomeone(server)
    const newOne = newEmail()
    for (const type of ['email_change_current', 'email_change_new'] as const) {
      const { properties } = await generate({ type, email, newEmail: newOne })
      const response = await fetch(properties?.action_link ?? '', { redirect: 'manual' })
      expect(response.status).toBe(303)
    }
    expect((await admin.getUserById(user.id)).data.user?.email).toBe(newOne)
  })

  it('turns a magic link for an unknown address into a sign-up', async () => {
    const email = newEmail()
    const { properties, user } = await generate({ type: 'magiclink', email })
    expect(properties?.verification_type).toBe('signup')
    expect(user).toMatchObject({ email })
    expect(user?.email_confirmed_at).toBeUndefined()
  })

  it('creates an account for a sign-up, once', async () => {
    const email = newEmail()
    const params = { type: 'signup', email, password: PASSWORD, options: { data: { a: 1 } } } as const
    const first = await generate(params)
    expect(first.user?.user_metadata).toMatchObject({ a: 1 })
    expect((await generate(params)).user?.id).toBe(first.user?.id)
  })

  it('creates an invitation without a mail', async () => {
    const { properties, user } = await generate({ type: 'invite', email: newEmail() })
    expect(properties?.verification_type).toBe('invite')
    expect(user?.invited_at).toEqual(expect.any(String))
  })

  it('changes an address with a link to each of the two addresses', async () => {
    const { email } = await signUpSomeone(server)
    const newOne = newEmail()
    for (const type of ['email_change_current', 'email_change_new'] as const) {
      const { properties, user } = await generate({ type, email, newEmail: newOne })
      expect(properties?.verification_type).toBe(type)
      expect(new URL(properties?.action_link ?? '').searchParams.get('type')).toBe('email_change')
      expect(user?.new_email).toBe(newOne)
    }
  })

  it.each([
    ['an unknown type', { type: 'teleport', email: 'a@example.com' }, 400, 'validation_failed'],
    ['a sign-up without a password', { type: 'signup', email: 'a@example.com' }, 400, 'validation_failed'],
    ['a weak password', { type: 'signup', email: 'a@example.com', password: 'aaa' }, 422, 'weak_password'],
    ['recovery of nobody', { type: 'recovery', email: 'nobody@example.com' }, 404, 'user_not_found'],
    ['no address', { type: 'magiclink' }, 400, 'validation_failed'],
    [
      'a change of nobody’s address',
      { type: 'email_change_new', email: 'nobody@example.com', new_email: 'b@example.com' },
      404,
      'user_not_found',
    ],
  ])('refuses %s', async (_what, body, status, code) => {
    expect(await post(server, '/admin/generate_link', body, headers)).toMatchObject({
      status,
      body: { code },
    })
  })

  it('refuses a sign-up, an invitation and a change to an address that is taken', async () => {
    const [{ email }, { email: other }] = [await signUpSomeone(server), await signUpSomeone(server)]
    for (const body of [
      { type: 'signup', email, password: PASSWORD },
      { type: 'invite', email },
      { type: 'email_change_new', email, new_email: other },
    ])
      expect(await post(server, '/admin/generate_link', body, headers)).toMatchObject({
        status: 422,
        body: { code: 'email_exists' },
      })
  })

  it('names an unknown type in the refusal', async () => {
    const { body } = await post(
      server,
      '/admin/generate_link',
      { type: 'teleport', email: 'a@example.com' },
      headers,
    )
    expect(body.message).toBe('Invalid email action link type requested: teleport')
    expect((await call(server, '/admin/oauth/clients', { headers })).status).toBe(404)
  })
})
