import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OidcIssuer } from '#tests/support/peers/oidc-issuer.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { call, newEmail, signUpSomeone, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'
import { startWithIssuer } from '../providers/start-with-issuer.ts'
import { enrollTotp } from '../factors/enroll-totp.ts'
import { pressButton } from '../codes/read-link-mail.ts'
import { readMail } from '../codes/read-mail.ts'
import { showCode } from '../factors/totp-app.ts'
import { follow, readLanding, walkFromIssuer } from '../providers/walk-oauth.ts'

let server: AuthServer
let issuer: OidcIssuer
let close: () => Promise<void>
beforeAll(async () => {
  ;({ server, issuer, close } = await startWithIssuer({ AUTH_MANUAL_LINKING: '1' }))
})
afterAll(() => close())
beforeEach(() => {
  issuer.person = { sub: randomUUID(), email: newEmail(), email_verified: true }
})

type Someone = Awaited<ReturnType<typeof signUpSomeone>>
const acme = { provider: 'acme' as 'google', options: { skipBrowserRedirect: true } }

async function link({ client }: Pick<Someone, 'client'>) {
  const { data, error } = await client.linkIdentity(acme)
  if (error !== null) throw error
  return await walkFromIssuer(issuer, data.url ?? '')
}

async function identitiesOf({ client }: Pick<Someone, 'client'>) {
  const { data, error } = await client.getUserIdentities()
  if (error !== null) throw error
  return data.identities
}

/** Turns the account into that of an anonymous visitor. */
async function makeAnonymous(someone: Someone) {
  const { db } = server.context
  await db
    .updateTable('auth.users')
    .set({
      is_anonymous: true,
      email: null,
      email_confirmed_at: null,
      password_hash: null,
      app_metadata: '{}',
    })
    .where('id', '=', someone.user.id)
    .execute()
  await db.deleteFrom('auth.identities').where('user_id', '=', someone.user.id).execute()
}

describe('linking an identity', () => {
  it('adds the provider to the account, even with a different address', async () => {
    const someone = await signUpSomeone(server)
    const { fragment } = await link(someone)
    expect(fragment.get('access_token')).not.toBeNull()
    const { data } = await someone.client.getUser()
    expect(data.user).toMatchObject({
      email: someone.email,
      app_metadata: { provider: 'email', providers: ['email', 'acme'] },
    })
    expect((await identitiesOf(someone)).map(({ provider }) => provider)).toEqual(['email', 'acme'])
    const rows = await server.context.db
      .selectFrom('auth.audit_log')
      .select('details')
      .where('user_id', '=', someone.user.id)
      .where('action', '=', 'identity_linked')
      .execute()
    expect(rows).toEqual([{ details: { provider: 'acme', by: 'owner' } }])
  })

  it('refuses an identity that is already linked, here or elsewhere', async () => {
    const [first, second] = [await signUpSomeone(server), await signUpSomeone(server)]
    await link(first)
    expect(Object.fromEntries((await link(first)).fragment)).toMatchObject({
      error: 'server_error',
      error_code: 'identity_already_exists',
      error_description: 'Identity is already linked',
    })
    const { fragment } = await link(second)
    expect(fragment.get('error_description')).toBe('Identity is already linked to another user')
    expect(await identitiesOf(second)).toHaveLength(1)
  })

  it('makes an anonymous account permanent under its id', async () => {
    const someone = await signUpSomeone(server)
    await makeAnonymous(someone)
    await link(someone)
    const { data } = await someone.client.getUser()
    expect(data.user).toMatchObject({
      id: someone.user.id,
      is_anonymous: false,
      email: issuer.person?.email,
      app_metadata: { provider: 'acme', providers: ['acme'] },
    })
    expect(data.user?.email_confirmed_at).toEqual(expect.any(String))
  })

  it('does not give an anonymous account the address of another account', async () => {
    const [owner, someone] = [await signUpSomeone(server), await signUpSomeone(server)]
    await makeAnonymous(someone)
    issuer.person = { sub: randomUUID(), email: owner.email, email_verified: true }
    const { fragment } = await link(someone)
    expect(fragment.get('error_code')).toBe('email_exists')
    expect((await someone.client.getUser()).data.user?.is_anonymous).toBe(true)
  })

  it('has no effect if the owner was banned meanwhile', async () => {
    const someone = await signUpSomeone(server)
    const { data } = await someone.client.linkIdentity(acme)
    await server.context.db
      .updateTable('auth.users')
      .set({ banned_until: new Date(Date.now() + 86_400_000) })
      .where('id', '=', someone.user.id)
      .execute()
    const { fragment } = await walkFromIssuer(issuer, data.url ?? '')
    expect(fragment.get('error_code')).toBe('user_banned')
  })

  it('needs a session', async () => {
    const { status, body } = await call(server, '/user/identities/authorize?provider=acme')
    expect(status).toBe(401)
    expect(body).toMatchObject({ error_code: 'no_authorization' })
  })

  it('also works with an id token', async () => {
    const someone = await signUpSomeone(server)
    const token = await issuer.signIdToken({ ...issuer.person })
    const { data, error } = await someone.client.linkIdentity({ provider: 'acme', token })
    expect(error).toBeNull()
    expect(data.user?.id).toBe(someone.user.id)
    expect(await identitiesOf(someone)).toHaveLength(2)
  })
})

describe('unlinking an identity', () => {
  it('removes the provider from the account', async () => {
    const someone = await signUpSomeone(server)
    await link(someone)
    const [, acmeIdentity] = await identitiesOf(someone)
    if (acmeIdentity === undefined) throw new Error('nothing was linked')
    expect((await someone.client.unlinkIdentity(acmeIdentity)).error).toBeNull()
    const { data } = await someone.client.getUser()
    expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
    expect(data.user?.email).toBe(someone.email)
  })

  it('that provides the address moves the account to its other verified address, and removes the password', async () => {
    const someone = await signUpSomeone(server)
    await link(someone)
    const [byEmail] = await identitiesOf(someone)
    if (byEmail === undefined) throw new Error('nothing was linked')
    expect((await someone.client.unlinkIdentity(byEmail)).error).toBeNull()
    const { data } = await someone.client.getUser()
    const promoted = issuer.person?.email ?? ''
    expect(data.user).toMatchObject({
      email: promoted,
      app_metadata: { provider: 'acme', providers: ['acme'] },
    })
    for (const email of [someone.email, promoted]) {
      const { error } = await server.newClient().signInWithPassword({ email, password: PASSWORD })
      expect(error).toMatchObject({ code: 'invalid_credentials' })
    }
  })

  it('that provides the address invalidates links sent there', async () => {
    const someone = await signUpSomeone(server)
    await link(someone)
    await server.newClient().resetPasswordForEmail(someone.email)
    const { url } = (await readMail(server, someone.email)).data
    const [byEmail] = await identitiesOf(someone)
    if (byEmail === undefined) throw new Error('nothing was linked')
    expect((await someone.client.unlinkIdentity(byEmail)).error).toBeNull()
    const { fragment } = readLanding(await follow(pressButton(server, url ?? '')))
    expect(fragment.get('error_code')).toBe('otp_expired')
  })

  it('that provides the address is refused if the other address now belongs to another account', async () => {
    const someone = await signUpSomeone(server)
    await link(someone)
    await server.newClient().signUp({ email: issuer.person?.email ?? '', password: PASSWORD })
    const [byEmail] = await identitiesOf(someone)
    if (byEmail === undefined) throw new Error('nothing was linked')
    expect((await someone.client.unlinkIdentity(byEmail)).error).toMatchObject({
      status: 422,
      code: 'email_conflict_identity_not_deletable',
      message: 'Unable to unlink identity due to email conflict',
    })
    expect(await identitiesOf(someone)).toHaveLength(2)
  })

  it('never removes the last identity, even if all are removed at once', async () => {
    const someone = await signUpSomeone(server)
    await link(someone)
    const answers = await Promise.all(
      (await identitiesOf(someone)).map((identity) => someone.client.unlinkIdentity(identity)),
    )
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
    expect(answers.find(({ error }) => error !== null)?.error).toMatchObject({
      status: 422,
      code: 'single_identity_not_deletable',
      message: 'User must have at least 1 identity after unlinking',
    })
  })

  it('refuses an invalid id, and an identity of another account', async () => {
    const [someone, other] = [await signUpSomeone(server), await signUpSomeone(server)]
    await link(someone)
    const headers = { Authorization: `Bearer ${someone.session.access_token}` }
    const remove = (id: string) => call(server, `/user/identities/${id}`, { method: 'DELETE', headers })
    expect(await remove('x')).toMatchObject({ status: 404, body: { msg: 'identity_id must be an UUID' } })
    const [foreign] = await identitiesOf(other)
    expect(await remove(foreign?.identity_id ?? '')).toMatchObject({
      status: 422,
      body: { error_code: 'identity_not_found', msg: "Identity doesn't exist" },
    })
    expect(await identitiesOf(other)).toHaveLength(1)
  })
})

describe('without AUTH_MANUAL_LINKING', () => {
  it('identities are neither linked nor unlinked', async () => {
    const closed = await startAuthServer()
    try {
      const { client, user } = await signUpSomeone(closed)
      const refusal = { status: 404, code: 'manual_linking_disabled', message: 'Manual linking is disabled' }
      expect((await client.linkIdentity(acme)).error).toMatchObject(refusal)
      const [identity] = user.identities ?? []
      if (identity === undefined) throw new Error('an account without an identity')
      expect((await client.unlinkIdentity(identity)).error).toMatchObject(refusal)
    } finally {
      await closed.close()
    }
  })
})

describe('an account with a second factor', () => {
  it('refuses to add or remove an identity after only a password', async () => {
    const someone = await signUpSomeone(server)
    await link(someone)
    const { factorId, secret } = await enrollTotp(someone.client)
    await someone.client.mfa.challengeAndVerify({ factorId, code: showCode(secret) })
    const thief = server.newClient()
    await thief.signInWithPassword({ email: someone.email, password: PASSWORD })
    const refusal = { status: 401, code: 'insufficient_aal' }
    for (const identity of await identitiesOf(someone))
      expect((await thief.unlinkIdentity(identity)).error).toMatchObject(refusal)
    expect((await thief.linkIdentity(acme)).error).toMatchObject(refusal)
    const token = await issuer.signIdToken({ sub: randomUUID(), email: newEmail(), email_verified: true })
    expect((await thief.linkIdentity({ provider: 'acme', token })).error).toMatchObject(refusal)
    expect(await identitiesOf(someone)).toHaveLength(2)

    const [, own] = await identitiesOf(someone)
    if (own === undefined) throw new Error('the linked identity is gone')
    expect((await someone.client.unlinkIdentity(own)).error).toBeNull()
  })
})
