import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CLIENT_ID, type OidcIssuer } from '#tests/support/peers/oidc-issuer.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { newEmail, signUpSomeone, type AuthServer } from '../wire/start-auth-server.ts'
import { startWithIssuer } from './start-with-issuer.ts'
import { authorizeUrl, beginOAuth, follow, readLanding, walkOAuth } from './walk-oauth.ts'

let server: AuthServer
let issuer: OidcIssuer
let close: () => Promise<void>
beforeAll(async () => {
  ;({ server, issuer, close } = await startWithIssuer(
    { AUTH_REDIRECT_ALLOW_LIST: 'https://app.example.com/**' },
    { away: { issuer: 'http://127.0.0.1:1', client_id: CLIENT_ID } },
  ))
})
afterAll(() => close())

let email = ''
beforeEach(() => {
  email = newEmail()
  issuer.person = { sub: randomUUID(), email, email_verified: true, name: 'Ada Buyer' }
})

const PAGE = 'https://app.example.com/landing?from=mail'

const begin = (flowType?: 'implicit' | 'pkce') => beginOAuth(server, { flowType, redirectTo: PAGE })

/** Runs a whole sign-in. */
async function signIn() {
  const { client, url } = await begin()
  const landing = await walkOAuth(issuer, url)
  const { data, error } = await client.exchangeCodeForSession(landing.query.get('code') ?? '')
  if (error !== null) throw error
  return { client, landing, ...data }
}

describe('sign-in by a provider', () => {
  it('creates an account and returns its session for the code of the redirect', async () => {
    const { session, user, landing } = await signIn()
    expect(landing.url.href).toMatch(/^https:\/\/app\.example\.com\/landing\?from=mail&code=[\w-]+$/)
    expect(user).toMatchObject({
      email,
      app_metadata: { provider: 'acme', providers: ['acme'] },
      user_metadata: { full_name: 'Ada Buyer', email, email_verified: true, iss: issuer.url },
    })
    expect(user.email_confirmed_at).toEqual(expect.any(String))
    expect(user.identities).toMatchObject([{ provider: 'acme', id: issuer.person?.sub, email }])
    expect(session.provider_token).toEqual(expect.any(String))
    const claims = JSON.parse(atob(session.access_token.split('.')[1] ?? '')) as { amr: unknown[] }
    expect(claims.amr).toMatchObject([{ method: 'oauth' }])
  })

  it('uses the same account again', async () => {
    const first = await signIn()
    issuer.person = { ...issuer.person, sub: issuer.person?.sub ?? '', name: 'Ada Married' }
    const second = await signIn()
    expect(second.user.id).toBe(first.user.id)
    expect(second.user.user_metadata).toMatchObject({ full_name: 'Ada Married' })
    expect(second.user.identities).toHaveLength(1)
  })

  it('puts the session into the fragment if the page does not use PKCE', async () => {
    const { url } = await begin('implicit')
    const { fragment } = await walkOAuth(issuer, url)
    expect(Object.fromEntries(fragment)).toMatchObject({ token_type: 'bearer', sb: '' })
    for (const name of ['access_token', 'refresh_token', 'expires_in', 'expires_at', 'provider_token'])
      expect(fragment.get(name)).not.toBeNull()
    const user = await server.newClient().getUser(fragment.get('access_token') ?? '')
    expect(user.data.user?.email).toBe(email)
  })

  it('also accepts the answer as a form', async () => {
    const { client, url } = await begin()
    const back = new URL(await issuer.walk(await follow(url)))
    const address = await follow(`${server.url}/callback`, { method: 'POST', body: back.searchParams })
    const { error } = await client.exchangeCodeForSession(readLanding(address).query.get('code') ?? '')
    expect(error).toBeNull()
  })

  it('sends PKCE, a nonce, and the page’s scopes and hints to the issuer', async () => {
    const query = {
      scopes: 'calendar',
      prompt: 'consent',
      client_id: 'evil',
      redirect_uri: 'https://evil.example',
    }
    const { searchParams } = new URL(await follow(authorizeUrl(server, query)))
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: CLIENT_ID,
      redirect_uri: `${server.url}/callback`,
      code_challenge_method: 'S256',
      prompt: 'consent',
      scope: 'openid email profile calendar',
    })
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/)
  })

  it('records each sign-in in the audit log', async () => {
    const { user } = await signIn()
    const rows = await server.context.db
      .selectFrom('auth.audit_log')
      .select('action')
      .where('user_id', '=', user.id)
      .orderBy('id')
      .execute()
    expect(rows.map(({ action }) => action)).toEqual(['signed_up', 'signed_in'])
  })
})

describe('linking by address', () => {
  it('adds a verified address to the account that has it', async () => {
    const someone = await signUpSomeone(server)
    issuer.person = { sub: randomUUID(), email: someone.email.toUpperCase(), email_verified: true }
    const { user } = await signIn()
    expect(user.id).toBe(someone.user.id)
    expect(user.app_metadata).toMatchObject({ provider: 'email', providers: ['email', 'acme'] })
    const again = await server.newClient().signInWithPassword({ email: someone.email, password: PASSWORD })
    expect(again.error).toBeNull()
  })

  it('refuses an unverified address of an account', async () => {
    const someone = await signUpSomeone(server)
    issuer.person = { sub: randomUUID(), email: someone.email, email_verified: false }
    const { url } = await begin()
    const { query } = await walkOAuth(issuer, url)
    expect(Object.fromEntries(query)).toMatchObject({
      error: 'access_denied',
      error_code: 'provider_email_needs_verification',
      error_description: 'Unverified email with acme. Verify the email with acme in order to sign in',
    })
    const { identities } = (await someone.client.getUser()).data.user ?? {}
    expect(identities).toHaveLength(1)
  })

  it('admits nobody to an account that somebody else prepared for the address', async () => {
    const someone = await signUpSomeone(server)
    const { db } = server.context
    await db
      .updateTable('auth.users')
      .set({ email_confirmed_at: null, user_metadata: JSON.stringify({ note: 'left by a stranger' }) })
      .where('id', '=', someone.user.id)
      .execute()
    issuer.person = { sub: randomUUID(), email: someone.email, email_verified: true }
    const { user } = await signIn()
    expect(user.id).toBe(someone.user.id)
    expect(user.identities?.map(({ provider }) => provider)).toEqual(['acme'])
    expect(user.user_metadata).not.toHaveProperty('note')
    expect(user.app_metadata).toEqual({ provider: 'acme', providers: ['acme'] })
    expect((await someone.client.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
    const byPassword = await server
      .newClient()
      .signInWithPassword({ email: someone.email, password: PASSWORD })
    expect(byPassword.error).toMatchObject({ code: 'invalid_credentials' })
  })

  it('creates one account for two simultaneous sign-ins', async () => {
    const journeys = await Promise.all([begin(), begin(), begin()])
    const landings = await Promise.all(journeys.map(({ url }) => walkOAuth(issuer, url)))
    const ids = await Promise.all(
      journeys.map(async ({ client }, index) => {
        const { data } = await client.exchangeCodeForSession(landings[index]?.query.get('code') ?? '')
        return data.user?.id
      }),
    )
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toEqual(expect.any(String))
  })

  it('refuses a banned account', async () => {
    const { user } = await signIn()
    await server.context.db
      .updateTable('auth.users')
      .set({ banned_until: new Date(Date.now() + 86_400_000) })
      .where('id', '=', user.id)
      .execute()
    const { query } = await walkOAuth(issuer, (await begin()).url)
    expect(Object.fromEntries(query)).toMatchObject({
      error: 'access_denied',
      error_code: 'user_banned',
      error_description: 'User is banned',
    })
  })

  it('refuses a user without an address', async () => {
    issuer.person = { sub: randomUUID() }
    const { query } = await walkOAuth(issuer, (await begin()).url)
    expect(query.get('error')).toBe('server_error')
    expect(query.get('error_description')).toBe('Error getting user email from external provider')
  })
})
