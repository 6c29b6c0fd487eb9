import { randomUUID } from 'node:crypto'
import bcrypt from 'bcryptjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '#tests/support/given/password.ts'
import { startAdministering } from './administer.ts'
import { call, newEmail, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'

let server: AuthServer
let administration: Awaited<ReturnType<typeof startAdministering>>
beforeAll(async () => {
  server = await startAuthServer()
  administration = await startAdministering(server)
})
afterAll(() => server.close())

const signIn = (email: string, password: string) => server.newClient().signInWithPassword({ email, password })

describe('createUser', () => {
  it('returns metadata exactly as given, and leaves the account unconfirmed', async () => {
    const email = newEmail()
    const user_metadata = { name: 'Ada Example', nested: { a: [1, null] } }
    const user = await administration.createUser({ email, user_metadata, app_metadata: { plan: 'pro' } })
    expect(user).toMatchObject({ email, role: 'authenticated', is_anonymous: false })
    expect(user.user_metadata).toEqual(user_metadata)
    expect(user.app_metadata).toEqual({ provider: 'email', providers: ['email'], plan: 'pro' })
    expect(user.email_confirmed_at).toBeUndefined()
    expect(user.identities).toMatchObject([{ provider: 'email', id: user.id }])
    expect(await administration.auditOf(user.id)).toMatchObject({ actor: 'service', actor_id: null })
  })

  it('confirms the account on request, and the user can sign in', async () => {
    const email = newEmail()
    await administration.createUser({ email, password: 'x', email_confirm: true })
    expect((await signIn(email, 'x')).error).toBeNull()
  })

  it('accepts an id, a phone and a role', async () => {
    const id = randomUUID()
    const user = await administration.createUser({
      id,
      phone: '+12025550199',
      phone_confirm: true,
      role: 'auditor',
    })
    expect(user).toMatchObject({ id, phone: '12025550199', email: '', role: 'auditor' })
    expect(user.phone_confirmed_at).toEqual(expect.any(String))
    expect(user.app_metadata).toEqual({ provider: 'phone', providers: ['phone'] })
  })

  it.each([
    ['bcrypt', () => bcrypt.hashSync('Imported-58!', 4)],
    [
      'argon2id of other parameters',
      // Made by the reference implementation: argon2id, 64 KiB, 3 passes.
      async () => {
        const { argon2Sync } = await import('node:crypto')
        const salt = Buffer.from('somesaltsomesalt')
        const key = argon2Sync('argon2id', {
          message: 'Imported-58!',
          nonce: salt,
          tagLength: 24,
          memory: 64,
          passes: 3,
          parallelism: 1,
        })
        const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
        return `$argon2id$v=19$m=64,t=3,p=1$${text(salt)}$${text(key)}`
      },
    ],
  ])('accepts a password hash of %s', async (_what, make) => {
    const email = newEmail()
    await administration.createUser({ email, password_hash: await make(), email_confirm: true })
    expect((await signIn(email, 'Imported-58!')).error).toBeNull()
    expect((await signIn(email, 'Imported-59!')).error).toMatchObject({ code: 'invalid_credentials' })
  })

  it.each([
    ['neither address nor phone', { password: PASSWORD }, 400, 'validation_failed'],
    ['an address that is none', { email: 'no at sign' }, 400, 'validation_failed'],
    [
      'a line break in the address',
      { email: 'a@example.com\r\nBcc: b@example.com' },
      400,
      'validation_failed',
    ],
    ['a phone that is none', { phone: 'call me' }, 400, 'validation_failed'],
    ['an id that is none', { id: '7', email: 'id@example.com' }, 400, 'validation_failed'],
    ['the role of the service', { email: 'r@example.com', role: 'service_role' }, 400, 'validation_failed'],
    [
      'a ban that is no duration',
      { email: 'd@example.com', ban_duration: 'forever' },
      400,
      'validation_failed',
    ],
    [
      'an MD5 as a hash',
      { email: 'm@example.com', password_hash: 'd41d8cd98f00b204e98' },
      400,
      'validation_failed',
    ],
    [
      'a hash that takes 16 GiB',
      {
        email: 'g@example.com',
        password_hash: '$argon2id$v=19$m=9999999,t=1,p=1$c29tZXNhbHRzb21l$c29tZXNhbHRzb21lc29tZXNhbHQ',
      },
      400,
      'validation_failed',
    ],
    [
      'password and hash',
      { email: 'p@example.com', password: 'x', password_hash: `$2b$04$${'a'.repeat(53)}` },
      400,
      'validation_failed',
    ],
    ['129 characters', { email: 'l@example.com', password: 'x'.repeat(129) }, 400, 'validation_failed'],
    [
      'metadata that no token holds',
      { email: 'b@example.com', user_metadata: { a: 'x'.repeat(5000) } },
      400,
      'validation_failed',
    ],
    ['metadata that is a list', { email: 'b@example.com', user_metadata: [] }, 400, 'bad_json'],
  ])('refuses %s', async (_what, body, status, code) => {
    expect(await administration.send('POST', '/admin/users', body)).toMatchObject({ status, body: { code } })
  })

  it('refuses taken values, and creates one of twenty simultaneous accounts', async () => {
    const [email, phone] = [newEmail(), '+12025550123']
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => administration.admin.createUser({ email, phone })),
    )
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
    expect(answers.filter(({ error }) => error?.code === 'email_exists')).toHaveLength(19)
    expect((await administration.admin.createUser({ phone })).error).toMatchObject({
      status: 422,
      code: 'phone_exists',
      message: 'Phone number already registered by another user',
    })
    expect((await administration.admin.createUser({ email })).error).toMatchObject({
      status: 422,
      code: 'email_exists',
      message: 'A user with this email address has already been registered',
    })
  })
})

describe('listUsers', () => {
  it('lists users in pages, newest first, with the links and the count that the client reads', async () => {
    for (let made = 0; made < 3; made += 1) await administration.createUser({ email: newEmail() })
    const { data } = await administration.admin.listUsers({ page: 1, perPage: 2 })
    const all = await administration.admin.listUsers()
    expect(data).toMatchObject({ aud: 'authenticated', nextPage: 2, total: all.data.users.length })
    expect(data.users.map(({ id }) => id)).toEqual(all.data.users.slice(0, 2).map(({ id }) => id))
    const { data: second } = await administration.admin.listUsers({ page: 2, perPage: 2 })
    expect(second.users[0]?.id).toBe(all.data.users[2]?.id)
  })

  it.each(['?page=-1', '?page=x', '?per_page=0', '?page=1&page=2'])('refuses %s', async (query) => {
    expect(await call(server, `/admin/users${query}`, { headers: administration.headers })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
  })

  it('has no next link on the last page', async () => {
    const { headers } = await call(server, '/admin/users?page=1000', { headers: administration.headers })
    expect(headers.get('link')).toBe(`<${server.url}/admin/users?page=1&per_page=50>; rel="last"`)
  })
})

describe('getUserById', () => {
  it('returns the user, or says that there is none', async () => {
    const { id } = await administration.createUser({ email: newEmail() })
    expect((await administration.admin.getUserById(id)).data.user?.id).toBe(id)
    expect((await administration.admin.getUserById(randomUUID())).error).toMatchObject({
      status: 404,
      code: 'user_not_found',
      message: 'User not found',
    })
    expect(await call(server, '/admin/users/7', { headers: administration.headers })).toMatchObject({
      status: 404,
      body: { message: 'user_id must be an UUID' },
    })
  })
})

describe('updateUserById', () => {
  it('merges metadata, and null removes a member', async () => {
    const { id } = await administration.createUser({ email: newEmail(), user_metadata: { a: 1, b: 2 } })
    const { data } = await administration.admin.updateUserById(id, {
      user_metadata: { b: null, c: 3 },
      app_metadata: { plan: 'pro' },
    })
    expect(data.user?.user_metadata).toEqual({ a: 1, c: 3 })
    expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'], plan: 'pro' })
  })

  it('changes address and phone at once, with their identities and the profile', async () => {
    const { user } = await signUpSomeone(server)
    const [email, phone] = [newEmail(), '+12025550177']
    const { data } = await administration.admin.updateUserById(user.id, { email, phone, phone_confirm: true })
    expect(data.user).toMatchObject({ email, phone: '12025550177' })
    expect(data.user?.identities?.map((identity) => identity.identity_data)).toMatchObject([
      { email },
      { phone: '12025550177', phone_verified: true },
    ])
    expect((await signIn(email, PASSWORD)).error).toBeNull()
    const { email: shown } = await server.context.db
      .selectFrom('profiles')
      .select('email')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(shown).toBe(email)
  })

  it('ends every session when the password changes', async () => {
    const { client, email, user } = await signUpSomeone(server)
    const password = 'Violet-Harbour-93'
    expect((await administration.admin.updateUserById(user.id, { password })).error).toBeNull()
    expect((await client.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
    expect((await client.refreshSession()).error).toMatchObject({ status: 400 })
    expect((await signIn(email, PASSWORD)).error).toMatchObject({ code: 'invalid_credentials' })
    expect((await signIn(email, password)).error).toBeNull()
    expect(await administration.auditOf(user.id)).toMatchObject({ action: 'signed_in' })
  })

  it('bans at once and for the given time, and ends the ban', async () => {
    const { client, email, user } = await signUpSomeone(server)
    const { data } = await administration.admin.updateUserById(user.id, { ban_duration: '1h30m' })
    const until = Date.parse((data.user as { banned_until?: string }).banned_until ?? '')
    expect(until - Date.now()).toBeGreaterThan(5_390_000)
    expect(until - Date.now()).toBeLessThan(5_410_000)
    expect((await client.getUser()).error).not.toBeNull()
    expect((await signIn(email, PASSWORD)).error).toMatchObject({ code: 'user_banned' })
    await administration.admin.updateUserById(user.id, { ban_duration: 'none' })
    expect((await signIn(email, PASSWORD)).error).toBeNull()
  })

  it('refuses a weak password, a taken address, and an unknown user', async () => {
    const { user } = await signUpSomeone(server)
    const { email } = await signUpSomeone(server)
    expect((await administration.admin.updateUserById(user.id, { password: 'aaa' })).error).toMatchObject({
      code: 'weak_password',
    })
    expect((await administration.admin.updateUserById(user.id, { email })).error).toMatchObject({
      code: 'email_exists',
    })
    expect(
      (await administration.admin.updateUserById(randomUUID(), { email: newEmail() })).error,
    ).toMatchObject({
      status: 404,
      code: 'user_not_found',
    })
  })

  it('records the names of the changed members in the audit log, and none of their values', async () => {
    const { user } = await signUpSomeone(server)
    const email = newEmail()
    await administration.admin.updateUserById(user.id, { email, ban_duration: 'none' })
    const row = await administration.auditOf(user.id)
    expect(row).toMatchObject({ action: 'user_updated_by_admin', actor: 'service' })
    expect(row.details).toEqual({ changed: ['email', 'new_email', 'banned_until'] })
  })
})
