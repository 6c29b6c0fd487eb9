import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issuerOf } from '#server/identity/access-token.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { readNewestAudit } from './administer.ts'
import { enrollTotp } from '../factors/enroll-totp.ts'
import {
  call,
  NEW_VERSION,
  newEmail,
  post,
  signUpSomeone,
  startAuthServer,
  type AuthServer,
} from '../wire/start-auth-server.ts'
import { showCode } from '../factors/totp-app.ts'

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server.close())

const auditOf = (userId: string) => readNewestAudit(server, userId)
const CALLS: [string, string, string][] = [
  ['POST', '/admin/users', 'create'],
  ['GET', '/admin/users', 'list'],
  ['GET', `/admin/users/${randomUUID()}`, 'get'],
  ['PUT', `/admin/users/${randomUUID()}`, 'update'],
  ['DELETE', `/admin/users/${randomUUID()}`, 'delete'],
  ['GET', `/admin/users/${randomUUID()}/factors`, 'list factors'],
  ['DELETE', `/admin/users/${randomUUID()}/factors/${randomUUID()}`, 'delete a factor'],
]

describe('administration', () => {
  const sign = (claims: Record<string, unknown>, subject?: string) => {
    const { signing } = server.context.identity.keys
    const token = new SignJWT(claims)
      .setProtectedHeader({ alg: signing.alg, kid: signing.kid })
      .setIssuer(issuerOf(server.context))
      .setIssuedAt()
    return (subject === undefined ? token : token.setSubject(subject)).sign(signing.privateKey)
  }

  it.each(CALLS)('refuses %s %s without a bearer token', async (method, path) => {
    const { status, body } = await call(server, path, { method, headers: NEW_VERSION })
    expect({ status, body }).toMatchObject({
      status: 401,
      body: { code: 'no_authorization', message: 'This endpoint requires a valid Bearer token' },
    })
  })

  it.each(CALLS)('refuses %s %s to a signed-in client', async (method, path) => {
    const { session } = await signUpSomeone(server)
    const headers = { ...NEW_VERSION, Authorization: `Bearer ${session.access_token}` }
    const { status, body } = await call(server, path, { method, headers })
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { code: 'not_admin', message: 'User not allowed' },
    })
  })

  it('refuses the app’s public key', async () => {
    const anon = await sign({ role: 'anon', exp: Math.floor(Date.now() / 1000) + 60 })
    const { status, body } = await call(server, '/admin/users', {
      headers: { ...NEW_VERSION, Authorization: `Bearer ${anon}` },
    })
    expect({ status, body }).toMatchObject({ status: 403, body: { code: 'not_admin' } })
  })

  it('refuses an unsigned token, whatever its claims', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const forged = `${part({ alg: 'none', typ: 'JWT' })}.${part({ role: 'service_role' })}.`
    const { status, body } = await call(server, '/admin/users', {
      headers: { ...NEW_VERSION, Authorization: `Bearer ${forged}` },
    })
    expect({ status, body }).toMatchObject({ status: 403, body: { code: 'bad_jwt' } })
  })

  it('accepts a service token under the other role name, with no other claims', async () => {
    const token = await sign({ role: 'supabase_admin' }, '1234567890')
    const { status } = await call(server, '/admin/users', { headers: { Authorization: `Bearer ${token}` } })
    expect(status).toBe(200)
  })

  it('refuses a service token of an ended session', async () => {
    const token = await sign({ role: 'service_role', session_id: randomUUID() })
    const { status, body } = await call(server, '/admin/users', {
      headers: { ...NEW_VERSION, Authorization: `Bearer ${token}` },
    })
    expect({ status, body }).toMatchObject({ status: 403, body: { code: 'session_not_found' } })
  })

  it('admits a signed-in administrator of the product, and records the name', async () => {
    const { session, user } = await signUpSomeone(server)
    await server.context.db
      .updateTable('profiles')
      .set({ role: 'admin' })
      .where('user_id', '=', user.id)
      .execute()
    const { status, body } = await post(
      server,
      '/admin/users',
      { email: newEmail() },
      { Authorization: `Bearer ${session.access_token}` },
    )
    expect(status).toBe(200)
    expect(await auditOf((body as { id: string }).id)).toMatchObject({
      action: 'user_created',
      actor: 'admin',
      actor_id: user.id,
    })
  })
})

describe('an administrator who has a second factor', () => {
  it('needs the factor even if nobody else does', async () => {
    const { client, email, user } = await signUpSomeone(server)
    const { db } = server.context
    await db.updateTable('profiles').set({ role: 'admin' }).where('user_id', '=', user.id).execute()
    const { factorId, secret } = await enrollTotp(client)
    await client.mfa.challengeAndVerify({ factorId, code: showCode(secret) })
    const thief = server.newClient()
    const { data } = await thief.signInWithPassword({ email, password: PASSWORD })
    const token = data.session?.access_token ?? ''
    const headers = { ...NEW_VERSION, Authorization: `Bearer ${token}` }
    expect(await call(server, '/admin/users', { headers })).toMatchObject({
      status: 403,
      body: { code: 'not_admin' },
    })
    const body = JSON.stringify({ app_metadata: { plan: 'pro' } })
    expect(await call(server, '/user', { method: 'PUT', headers, body })).toMatchObject({
      status: 403,
      body: { code: 'not_admin' },
    })
  })
})

describe('with AUTH_ADMIN_MFA=1', () => {
  let strict: AuthServer
  beforeAll(async () => {
    strict = await startAuthServer({ AUTH_ADMIN_MFA: '1' })
  })
  afterAll(() => strict.close())

  it('an administrator needs a second factor', async () => {
    const { session, user } = await signUpSomeone(strict)
    const { db } = strict.context
    await db.updateTable('profiles').set({ role: 'admin' }).where('user_id', '=', user.id).execute()
    const list = () =>
      call(strict, '/admin/users', {
        headers: { ...NEW_VERSION, Authorization: `Bearer ${session.access_token}` },
      })
    expect(await list()).toMatchObject({ status: 403, body: { code: 'not_admin' } })
    await db.updateTable('auth.sessions').set({ aal: 'aal2' }).where('user_id', '=', user.id).execute()
    expect((await list()).status).toBe(200)
  })
})
