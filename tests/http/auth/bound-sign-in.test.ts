import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CLIENT_ID, CLIENT_SECRET, startOidcIssuer, type OidcIssuer } from '#tests/support/oidc-issuer.ts'
import { newEmail, startAuthServer, type AuthServer } from './start-auth-server.ts'
import { authorizeUrl, readLanding } from './walk-oauth.ts'

// A stranger begins a sign-in as himself and makes somebody's browser end it: that person would work in the stranger's account.
let server: AuthServer
let issuer: OidcIssuer
beforeAll(async () => {
  issuer = await startOidcIssuer()
  server = await startAuthServer({
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

/** A browser: keeps cookies, oldest first, and says what it is. */
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
/** As far as the address that the provider sends the person back to. */
const begin = async (browser: Browser) => issuer.walk((await browser.go(authorizeUrl(server))).location)
const end = async (browser: Browser, back: string) => readLanding((await browser.go(back)).location).fragment
const INVALID = {
  error: 'server_error',
  error_code: 'bad_oauth_state',
  error_description: 'OAuth state parameter is invalid',
}

describe('a sign-in by a provider', () => {
  it('is ended by the browser that began it, which keeps no cookie of it', async () => {
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
  ])('is not ended by a browser that says %s and did not begin it', async (name, value) => {
    const victim = newBrowser({ [name]: value })
    const back = await begin(newBrowser())
    expect(Object.fromEntries(await end(victim, back))).toMatchObject(INVALID)
    // Not with the cookie of a sign-in of its own either.
    await begin(victim)
    expect(Object.fromEntries(await end(victim, await begin(newBrowser())))).toMatchObject(INVALID)
  })

  it('may be under way in several tabs, the newest eight', async () => {
    const browser = newBrowser()
    const backs: string[] = []
    for (let tab = 0; tab < 9; tab += 1) backs.push(await begin(browser))
    expect(browser.cookies.size).toBe(8)
    const ends = await Promise.all(backs.map((back) => end(browser, back)))
    expect(ends.map((fragment) => fragment.has('access_token'))).toEqual(backs.map((_back, tab) => tab > 0))
  })

  it('is ended by a form too, which browsers post without cookies', async () => {
    const browser = newBrowser()
    const { origin, pathname, searchParams } = new URL(await begin(browser))
    const body = new URLSearchParams([...searchParams, ['filler', 'x'.repeat(10_000)]])
    const post = { method: 'POST', body, headers: { 'Sec-Fetch-Site': 'cross-site' } }
    const { location } = await browser.go(origin + pathname, post)
    expect(location.startsWith(`${server.url}/callback?`)).toBe(true)
    expect((await end(browser, location)).get('access_token')).not.toBeNull()
  })

  it('keeps its cookie to itself and to https where the service is there', async () => {
    const secure = await startAuthServer({
      PUBLIC_URL: 'https://leads.example.com',
      AUTH_PROVIDERS: JSON.stringify({
        acme: { issuer: issuer.url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
      }),
    })
    const { set } = await newBrowser().go(authorizeUrl(secure))
    expect(set[0]).toMatch(/^__Host-leadwire_flow_.*; Path=\/; .*; SameSite=Lax; Secure$/)
    await secure.close()
  })
})
