import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CLIENT_ID, type OidcIssuer } from '#tests/support/peers/oidc-issuer.ts'
import { call, newEmail, post, type AuthServer } from '../wire/start-auth-server.ts'
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

describe('a forged or late answer', () => {
  it.each([
    ['no state', '', 'bad_oauth_callback', 'OAuth state parameter missing'],
    ['a state that is none', 'state=x', 'bad_oauth_state', 'OAuth state parameter is invalid'],
    [
      'a state nobody began',
      `state=${'x'.repeat(43)}`,
      'bad_oauth_state',
      'OAuth state not found or expired',
    ],
  ])('leads to the app with an error for %s', async (_name, query, code, message) => {
    const { url, fragment } = readLanding(await follow(`${server.url}/callback?code=c&${query}`))
    expect(url.origin).toBe(new URL(server.url).origin)
    expect(Object.fromEntries(fragment)).toMatchObject({
      error: 'invalid_request',
      error_code: code,
      error_description: message,
    })
  })

  it('is accepted once', async () => {
    const back = await issuer.walk(await follow((await begin()).url))
    await follow(back)
    const { fragment } = readLanding(await follow(back))
    expect(fragment.get('error_code')).toBe('bad_oauth_state')
  })

  it('is accepted once even if it arrives ten times at once', async () => {
    const back = await issuer.walk(await follow((await begin()).url))
    const landings = await Promise.all(
      Array.from({ length: 10 }, async () => readLanding(await follow(back))),
    )
    expect(landings.filter(({ query }) => query.has('code'))).toHaveLength(1)
  })

  it('is refused after five minutes', async () => {
    const back = await issuer.walk(await follow((await begin()).url))
    await server.context.db
      .updateTable('auth.flows')
      .set({ created_at: new Date(Date.now() - 301_000) })
      .where('state_hash', 'is not', null)
      .execute()
    const { query, url } = readLanding(await follow(back))
    expect(url.origin).toBe('https://app.example.com')
    expect(query.get('error_description')).toBe('OAuth state has expired')
  })

  it('reports to the page that the user refused', async () => {
    issuer.person = undefined
    const { query, fragment } = await walkOAuth(issuer, (await begin()).url)
    const denial = { error: 'access_denied', error_description: 'The person said no' }
    expect(Object.fromEntries(query)).toMatchObject(denial)
    expect(Object.fromEntries(fragment)).toMatchObject(denial)
  })

  it('with another sign-in’s code opens no session', async () => {
    const state = new URL(await follow((await begin()).url)).searchParams.get('state') ?? ''
    const stolen =
      new URL(await issuer.walk(await follow((await begin()).url))).searchParams.get('code') ?? ''
    const query = new URLSearchParams({ code: stolen, state, iss: issuer.url })
    const landing = readLanding(await follow(`${server.url}/callback?${query.toString()}`))
    expect(landing.query.get('error')).toBe('server_error')
    expect(landing.query.get('error_description')).toBe('Unable to exchange external code')
    expect(landing.query.has('code')).toBe(false)
  })

  it('with another sign-in’s nonce opens no session', async () => {
    const back = await issuer.walk(await follow((await begin()).url))
    await server.context.db
      .updateTable('auth.flows')
      .set({ nonce: 'x'.repeat(43) })
      .where('state_hash', 'is not', null)
      .execute()
    const { query } = readLanding(await follow(back))
    expect(query.get('error_description')).toBe('Unable to exchange external code')
  })

  it('that names another issuer opens no session', async () => {
    const back = new URL(await issuer.walk(await follow((await begin()).url)))
    back.searchParams.set('iss', 'https://evil.example.com')
    expect(readLanding(await follow(back.href)).query.get('error')).toBe('server_error')
  })
})

describe('the code of the redirect', () => {
  async function earnCode() {
    const verifier = 'v'.repeat(64)
    const code_challenge = createHash('sha256').update(verifier).digest('base64url')
    const url = authorizeUrl(server, { redirect_to: PAGE, code_challenge, code_challenge_method: 'S256' })
    const { query } = await walkOAuth(issuer, url)
    return { auth_code: query.get('code') ?? '', code_verifier: verifier }
  }
  const trade = (body: object) => post(server, '/token?grant_type=pkce', body)

  it('is used up by a wrong verifier', async () => {
    const given = await earnCode()
    const wrong = await trade({ ...given, code_verifier: 'w'.repeat(64) })
    expect(wrong).toMatchObject({ status: 400, body: { error_code: 'bad_code_verifier' } })
    expect(await trade(given)).toMatchObject({ status: 404, body: { error_code: 'flow_state_not_found' } })
  })

  it('opens one session if it is exchanged ten times at once', async () => {
    const given = await earnCode()
    const answers = await Promise.all(Array.from({ length: 10 }, () => trade(given)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('is refused after five minutes', async () => {
    const given = await earnCode()
    await server.context.db
      .updateTable('auth.flows')
      .set({ code_issued_at: new Date(Date.now() - 301_000) })
      .where('code_hash', 'is not', null)
      .execute()
    expect(await trade(given)).toMatchObject({ status: 422, body: { error_code: 'flow_state_expired' } })
  })
})

describe('authorize', () => {
  it.each([
    [
      'an unknown provider',
      { provider: 'nobody' },
      'Unsupported provider: Provider nobody could not be found',
    ],
    ['a known one that is off', { provider: 'google' }, 'Unsupported provider: provider is not enabled'],
    [
      'half of PKCE',
      { code_challenge: 'x'.repeat(43) },
      'PKCE flow requires code_challenge_method and code_challenge',
    ],
  ])('refuses %s', async (_name, query, msg) => {
    const { status, body } = await call(server, authorizeUrl(server, query).slice(server.url.length))
    expect(status).toBe(400)
    expect(body).toMatchObject({ error_code: 'validation_failed', msg })
  })

  it('leads back to the page if the provider is unreachable', async () => {
    const address = await follow(authorizeUrl(server, { provider: 'away', redirect_to: PAGE }))
    const { url, fragment } = readLanding(address)
    expect(url.href.startsWith(PAGE)).toBe(true)
    expect(fragment.get('error_description')).toContain('cannot be reached')
  })

  it.each([
    'https://evil.example.com/',
    '//evil.example.com',
    'https://app.example.com@evil.example.com/',
    'https://app.example.com\\@evil.example.com/',
    'https:evil.example.com',
    'javascript:alert(1)',
    'https://app.example.com.evil.example.com/',
    'https://evil.example.com/?https://app.example.com/landing',
  ])('never redirects to %s', async (redirect_to) => {
    const { url, fragment } = await walkOAuth(issuer, authorizeUrl(server, { redirect_to }))
    expect(url.origin).toBe(new URL(server.url).origin)
    expect(fragment.get('access_token')).not.toBeNull()
  })
})
