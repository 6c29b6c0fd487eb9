import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startOidcIssuer,
  type OidcIssuer,
} from '#tests/support/peers/oidc-issuer.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { newEmail, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'
import { authorizeUrl, follow, readLanding } from './walk-oauth.ts'

// The attack: a stranger begins a sign-in and lets a victim's browser end it, so that the victim works in the
// stranger's account.
let server: AuthServer
let issuer: OidcIssuer
beforeAll(async () => {
  issuer = await startOidcIssuer()
  server = await startAuthServer({
    AUTH_MANUAL_LINKING: '1',
    AUTH_PROVIDERS: JSON.stringify({
      acme: { issuer: issuer.url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
    }),
  })
  issuer.register(`${server.url}/callback`)
})
afterAll(async () => {
  await server.close()
  await issuer.close()
})
beforeEach(() => {
  issuer.person = { sub: randomUUID(), email: newEmail(), email_verified: true }
})

/** A browser that keeps cookies, oldest first, and sends its own headers. */
function newBrowser(says: Record<string, string> = { 'Sec-Fetch-Site': 'none' }) {
  const cookies = new Map<string, string>()
  return {
    cookies,
    go: async (url: string, init: RequestInit = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(url, { redirect: 'manual', headers: { ...says, cookie }, ...init })
      for (const set of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        cookies.delete(name)
        if (!set.includes('Max-Age=0')) cookies.set(name, value)
      }
      return { set: response.headers.getSetCookie(), location: response.headers.get('location') ?? '' }
    },
  }
}

type Browser = ReturnType<typeof newBrowser>
/** Walks to the address that the provider returns the user to. */
const begin = async (browser: Browser) => issuer.walk((await browser.go(authorizeUrl(server))).location)
const end = async (browser: Browser, back: string) => readLanding((await browser.go(back)).location).fragment
const INVALID = {
  error: 'server_error',
  error_code: 'bad_oauth_state',
  error_description: 'OAuth state parameter is invalid',
}

describe('a sign-in by a provider', () => {
  it('is completed only by the browser that began it, and its cookie is removed', async () => {
    const browser = newBrowser()
    const { set, location } = await browser.go(authorizeUrl(server))
    expect(set).toHaveLength(1)
    expect(set[0]).toMatch(
      /^leadwire_flow_[\da-f]{16}=[\w-]{43}; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax$/,
    )
    const fragment = await end(browser, await issuer.walk(location))
    expect(fragment.get('access_token')).not.toBeNull()
    expect(browser.cookies.size).toBe(0)
  })

  it.each([
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Dest', 'document'],
    ['Upgrade-Insecure-Requests', '1'],
  ])('is not completed by a browser that says %s and did not begin it', async (name, value) => {
    const victim = newBrowser({ [name]: value })
    const back = await begin(newBrowser())
    expect(Object.fromEntries(await end(victim, back))).toMatchObject(INVALID)
    // The cookie of another sign-in does not help either.
    await begin(victim)
    expect(Object.fromEntries(await end(victim, await begin(newBrowser())))).toMatchObject(INVALID)
  })

  it('may run in several tabs, of which the newest eight are valid', async () => {
    const browser = newBrowser()
    const backs: string[] = []
    for (let tab = 0; tab < 9; tab += 1) backs.push(await begin(browser))
    expect(browser.cookies.size).toBe(8)
    const ends = await Promise.all(backs.map((back) => end(browser, back)))
    expect(ends.map((fragment) => fragment.has('access_token'))).toEqual(backs.map((_back, tab) => tab > 0))
  })

  it('is also completed by a form, which browsers post without cookies', async () => {
    const browser = newBrowser()
    const { origin, pathname, searchParams } = new URL(await begin(browser))
    const body = new URLSearchParams([...searchParams, ['filler', 'x'.repeat(10_000)]])
    const post = { method: 'POST', body, headers: { 'Sec-Fetch-Site': 'cross-site' } }
    const { location } = await browser.go(origin + pathname, post)
    expect(location.startsWith(`${server.url}/callback?`)).toBe(true)
    expect((await end(browser, location)).get('access_token')).not.toBeNull()
  })

  it('begins at the service’s own host name, so that the cookie is sent back', async () => {
    const browser = newBrowser()
    const { port, hostname } = new URL(server.url)
    expect(hostname).toBe('127.0.0.1')
    const first = await browser.go(authorizeUrl(server).replace(hostname, 'localhost'))
    expect(first.set).toEqual([])
    expect(new URL(first.location).host).toBe(`127.0.0.1:${port}`)
    const { location } = await browser.go(first.location)
    expect((await end(browser, await issuer.walk(location))).get('access_token')).not.toBeNull()
    // A proxy renames the host.
    const again = await browser.go(first.location.replace(hostname, 'localhost'))
    expect(new URL(again.location).origin).toBe(issuer.url)
  })

  it('binds its cookie to its own host, and to https if the service uses https', async () => {
    const secure = await startAuthServer({
      PUBLIC_URL: 'https://leads.example.com',
      AUTH_PROVIDERS: JSON.stringify({
        acme: { issuer: issuer.url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
      }),
    })
    const { location } = await newBrowser().go(authorizeUrl(secure))
    const atHome = `${secure.url}/authorize${new URL(location).search}`
    const { set } = await newBrowser().go(atHome)
    expect(set[0]).toMatch(/^__Host-leadwire_flow_.*; Path=\/; .*; SameSite=Lax; Secure$/)
    await secure.close()
  })
})

// The attack: a stranger begins to link an identity and lets a victim continue, so that the victim's provider
// opens the stranger's account.
describe('a request to link an identity', () => {
  async function wish(flowType: 'implicit' | 'pkce') {
    const client = server.newClient(flowType)
    await client.signUp({ email: newEmail(), password: PASSWORD })
    const options = { skipBrowserRedirect: true }
    const { data } = await client.linkIdentity({ provider: 'acme' as 'google', options })
    const providers = async () =>
      (await client.getUserIdentities()).data?.identities.map(({ provider }) => provider)
    return { client, providers, back: await issuer.walk(data.url ?? '') }
  }
  const FROM_ELSEWHERE = { headers: { 'X-Forwarded-For': '198.51.100.7' } }

  it('under PKCE links nothing until the client with the verifier exchanges the code', async () => {
    const { client, providers, back } = await wish('pkce')
    const code = readLanding(await follow(back, FROM_ELSEWHERE)).query.get('code') ?? ''
    expect(await providers()).toEqual(['email'])
    expect((await client.exchangeCodeForSession(code)).error).toBeNull()
    expect(await providers()).toEqual(['email', 'acme'])
  })

  it('under PKCE does not use up the provider’s account if another client exchanges the code', async () => {
    const { providers, back } = await wish('pkce')
    const code = readLanding(await follow(back)).query.get('code') ?? ''
    const victim = await wish('pkce')
    expect((await victim.client.exchangeCodeForSession(code)).error?.code).toBe('bad_code_verifier')
    expect(await providers()).toEqual(['email'])
    const own = readLanding(await follow(victim.back)).query.get('code') ?? ''
    expect(own).not.toBe('')
  })

  it('under PKCE is refused if the provider’s account was linked meanwhile', async () => {
    const [first, second] = [await wish('pkce'), await wish('pkce')]
    const [one, two] = await Promise.all(
      [first, second].map(async ({ back }) => readLanding(await follow(back)).query.get('code') ?? ''),
    )
    const ends = await Promise.all([
      first.client.exchangeCodeForSession(one ?? ''),
      second.client.exchangeCodeForSession(two ?? ''),
    ])
    const refusals = ends.flatMap(({ error }) => (error === null ? [] : [error.message]))
    expect(refusals).toEqual(['Identity is already linked to another user'])
  })

  it('without PKCE is completed only from the network where it began', async () => {
    const { providers, back } = await wish('implicit')
    const { fragment } = readLanding(await follow(back, FROM_ELSEWHERE))
    expect(Object.fromEntries(fragment)).toMatchObject(INVALID)
    expect(await providers()).toEqual(['email'])
    await follow((await wish('implicit')).back)
  })

  it('ends with the session that began it', async () => {
    for (const flowType of ['implicit', 'pkce'] as const) {
      const { client, back } = await wish(flowType)
      await client.signOut({ scope: 'local' })
      const { fragment } = readLanding(await follow(back))
      expect(fragment.get('error_description')).toBe('OAuth state not found or expired')
    }
  })
})
