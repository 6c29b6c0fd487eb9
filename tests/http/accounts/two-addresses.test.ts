import { AuthClient } from '@supabase/auth-js'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startOidcIssuer,
  type OidcIssuer,
} from '#tests/support/peers/oidc-issuer.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { pressButton } from './codes/read-link-mail.ts'
import { readMail } from './codes/read-mail.ts'
import { serviceKey } from './people/administer.ts'
import {
  companyProvider,
  makeCompany,
  readRequest,
  signAnswer,
  writeAnswer,
} from './providers/saml-company.ts'
import { authorizeUrl, follow, readLanding } from './providers/walk-oauth.ts'
import { call, newEmail, post, startAuthServer, type AuthServer } from './wire/start-auth-server.ts'

// One server with two names, which are two origins to a browser: the site is 127.0.0.1, the API localhost.
const company = makeCompany()
let issuer: OidcIssuer
let server: AuthServer
/** the same server, as programs with the API's address see it */
let atApi: AuthServer
let site: string
let api: string
beforeAll(async () => {
  issuer = await startOidcIssuer()
  server = await startAuthServer({
    API_URL: 'http://localhost:{port}/',
    AUTH_EMAIL_AUTOCONFIRM: '0',
    AUTH_WEB3_SOLANA: '1',
    AUTH_PROVIDERS: JSON.stringify({
      acme: { issuer: issuer.url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
      company: companyProvider(company.publicKey),
    }),
  })
  site = new URL(server.url).origin
  api = site.replace('127.0.0.1', 'localhost')
  atApi = { ...server, url: server.url.replace(site, api) }
  issuer.register(`${atApi.url}/callback`)
})
afterAll(async () => {
  await server.close()
  await issuer.close()
})

it('mails link to the site, whose button asks the service and ends at the site', async () => {
  const email = newEmail()
  await post(server, '/signup', { email, password: PASSWORD })
  const { url } = (await readMail(server, email)).data
  expect(url).toMatch(new RegExp(`^${site}/auth/verify\\?token=.*&type=signup&redirect_to=${site}$`))
  const { url: landing, fragment } = readLanding(await follow(pressButton(server, url ?? '')))
  expect(landing.origin).toBe(site)
  expect(fragment.get('access_token')).not.toBeNull()
})

it('tokens are issued by the API, under either address, and valid at both', async () => {
  const email = newEmail()
  await post(server, '/signup', { email, password: PASSWORD })
  await follow(pressButton(server, (await readMail(server, email)).data.url ?? ''))
  for (const asked of [server, atApi]) {
    const client = new AuthClient({ url: asked.url, autoRefreshToken: false, persistSession: false })
    const { data, error } = await client.signInWithPassword({ email, password: PASSWORD })
    expect(error).toBeNull()
    const token = data.session?.access_token ?? ''
    expect(decodeJwt(token).iss).toBe(atApi.url)
    for (const shown of [server, atApi]) {
      const headers = { Authorization: `Bearer ${token}` }
      expect((await call(shown, '/user', { headers })).status).toBe(200)
      const keys = new AuthClient({ url: shown.url, autoRefreshToken: false, persistSession: false })
      expect((await keys.getClaims(token)).data?.claims.email).toBe(email)
    }
  }
})

it('an administrator’s links and pages are at the API, and end at the site', async () => {
  const headers = { Authorization: `Bearer ${await serviceKey(server.context)}` }
  const made = await post(server, '/admin/generate_link', { type: 'magiclink', email: newEmail() }, headers)
  expect(made.body).toMatchObject({
    action_link: expect.stringContaining(`${atApi.url}/verify?`) as string,
    redirect_to: site,
  })
  const listed = await call(server, '/admin/users?per_page=1', { headers })
  expect(listed.headers.get('Link')).toContain(`<${atApi.url}/admin/users?page=`)
})

it('users are redirected to the site’s own pages, and to the API’s only by the allow list', async () => {
  const dead = (to: string) =>
    `${server.url}/verify?token=00&type=signup&redirect_to=${encodeURIComponent(to)}`
  expect(readLanding(await follow(dead(`${site}/dashboard`))).url.href).toContain(`${site}/dashboard`)
  expect(readLanding(await follow(dead(`${api}/dashboard`))).url.origin).toBe(site)
})

it('a provider redirects users to the API, where their cookie is, and they end at the site', async () => {
  issuer.person = { sub: newEmail(), email: newEmail(), email_verified: true }
  const browser = { 'Sec-Fetch-Site': 'same-origin' }
  const begun = `${authorizeUrl(server)}&redirect_to=${encodeURIComponent(`${site}/dashboard`)}`
  const home = await follow(begun, { headers: browser })
  expect(home.startsWith(`${atApi.url}/authorize?`)).toBe(true)
  const response = await fetch(home, { redirect: 'manual', headers: browser })
  const provider = new URL(response.headers.get('location') ?? '')
  expect(provider.searchParams.get('redirect_uri')).toBe(`${atApi.url}/callback`)
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';')
  const back = await issuer.walk(provider.href)
  expect(back.startsWith(`${atApi.url}/callback?`)).toBe(true)
  const { url, fragment } = readLanding(await follow(back, { headers: { ...browser, cookie } }))
  expect(url.origin + url.pathname).toBe(`${site}/dashboard`)
  expect(fragment.get('access_token')).not.toBeNull()
})

it('an unknown flow ends at the site', async () => {
  expect(readLanding(await follow(`${atApi.url}/callback?code=a&state=b`)).url.origin).toBe(site)
})

it('a company’s assertions go to the API, and its users to the site', async () => {
  const metadata = await (await fetch(`${server.url}/sso/saml/metadata`)).text()
  expect(metadata).toContain(`entityID="${atApi.url}/sso/saml/metadata"`)
  expect(metadata).toContain(`Location="${atApi.url}/sso/saml/acs"`)
  const { data } = await server.newClient().signInWithSSO({ domain: 'company.example' })
  const { requestId, relayState, xml } = readRequest(data?.url ?? '')
  expect(xml).toContain(`AssertionConsumerServiceURL="${atApi.url}/sso/saml/acs"`)
  const answer = signAnswer(writeAnswer(atApi, requestId), company)
  const body = new URLSearchParams({
    SAMLResponse: Buffer.from(answer).toString('base64'),
    RelayState: relayState,
  })
  const { url, fragment } = readLanding(await follow(`${atApi.url}/sso/saml/acs`, { method: 'POST', body }))
  expect(url.origin).toBe(site)
  expect(fragment.get('access_token')).not.toBeNull()
})

it('a sign-in cookie requires https if the API uses it, whatever the site uses', async () => {
  const secure = await startAuthServer({
    API_URL: 'https://api.example.com',
    AUTH_PROVIDERS: JSON.stringify({
      acme: { issuer: issuer.url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
    }),
  })
  try {
    const headers = { 'Sec-Fetch-Site': 'none' }
    const home = new URL(await follow(authorizeUrl(secure), { headers }))
    expect(home.origin).toBe('https://api.example.com')
    const response = await fetch(`${secure.url}/authorize${home.search}`, { redirect: 'manual', headers })
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-leadwire_flow_.*; Secure$/)
  } finally {
    await secure.close()
  }
})
