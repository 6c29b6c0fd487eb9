import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startOidcIssuer,
  type OidcIssuer,
} from '#tests/support/peers/oidc-issuer.ts'
import { pressButton } from '../codes/read-link-mail.ts'
import { findMail, readMail } from '../codes/read-mail.ts'
import { newEmail, startAuthServer, type AuthServer } from '../wire/start-auth-server.ts'
import { authorizeUrl, follow, readLanding, walkOAuth } from './walk-oauth.ts'

let issuer: OidcIssuer
let server: AuthServer
const start = async (environment: Record<string, string>) => {
  const started = await startAuthServer({
    AUTH_EMAIL_AUTOCONFIRM: '0',
    AUTH_PROVIDERS: JSON.stringify({
      acme: { issuer: issuer.url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
    }),
    ...environment,
  })
  issuer.register(`${started.url}/callback`)
  return started
}
beforeAll(async () => {
  issuer = await startOidcIssuer()
  server = await start({})
})
afterAll(async () => {
  await server.close()
  await issuer.close()
})

let email = ''
beforeEach(() => {
  email = newEmail()
  issuer.person = { sub: randomUUID(), email, email_verified: false }
})

const ASKED = {
  error: 'access_denied',
  error_code: 'provider_email_needs_verification',
  error_description: 'Unverified email with acme. A confirmation email has been sent to your acme email',
}

describe('an address that the provider has not verified', () => {
  it('gets a mail, and the link in it signs the user in', async () => {
    const first = await walkOAuth(issuer, authorizeUrl(server))
    expect(Object.fromEntries(first.fragment)).toMatchObject(ASKED)
    const mail = await readMail(server, email)
    expect(mail.template).toBe('account_confirm')
    await follow(pressButton(server, mail.data.url ?? ''))
    const { fragment } = await walkOAuth(issuer, authorizeUrl(server))
    const { data } = await server.newClient().getUser(fragment.get('access_token') ?? '')
    expect(data.user).toMatchObject({ email, app_metadata: { provider: 'acme' } })
  })

  it('gets one mail a minute, however often the user tries', async () => {
    await walkOAuth(issuer, authorizeUrl(server))
    const first = await readMail(server, email)
    const again = await walkOAuth(issuer, authorizeUrl(server))
    expect(Object.fromEntries(again.fragment)).toMatchObject(ASKED)
    expect((await readMail(server, email)).data.code).toBe(first.data.code)
  })

  it('is accepted without the mail once the provider has verified it', async () => {
    await walkOAuth(issuer, authorizeUrl(server))
    issuer.person = { sub: issuer.person?.sub ?? '', email, email_verified: true }
    const { fragment } = await walkOAuth(issuer, authorizeUrl(server))
    expect(fragment.get('access_token')).not.toBeNull()
  })
})

describe('with sign-up closed', () => {
  it('a new user gets no account', async () => {
    const closed = await start({ AUTH_SIGNUP_DISABLED: '1' })
    try {
      issuer.person = { sub: randomUUID(), email, email_verified: true }
      const { fragment } = await walkOAuth(issuer, authorizeUrl(closed))
      expect(Object.fromEntries(fragment)).toMatchObject({
        error: 'access_denied',
        error_code: 'signup_disabled',
        error_description: 'Signups not allowed for this instance',
      })
      expect(await findMail(closed, email)).toBeUndefined()
    } finally {
      await closed.close()
      issuer.register(`${server.url}/callback`)
    }
  })
})

describe('beginning many sign-ins', () => {
  it('is stopped by the address’s limit, and leads back to the page', async () => {
    const limited = await start({ AUTH_RATE_TOKEN: '3' })
    try {
      const places: string[] = []
      for (let made = 0; made < 4; made += 1) places.push(await follow(authorizeUrl(limited)))
      expect(places.slice(0, 3).every((place) => place.startsWith(issuer.url))).toBe(true)
      const { fragment } = readLanding(places[3] ?? '')
      expect(fragment.get('error_code')).toBe('over_request_rate_limit')
      expect(fragment.get('error_description')).toContain('Too many requests')
    } finally {
      await limited.close()
      issuer.register(`${server.url}/callback`)
    }
  })
})

describe('an issuer that fails during a sign-in', () => {
  it('causes an error on the page', async () => {
    const leaving = await startOidcIssuer()
    const other = await startAuthServer({
      AUTH_PROVIDERS: JSON.stringify({
        acme: { issuer: leaving.url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
      }),
    })
    try {
      leaving.register(`${other.url}/callback`)
      leaving.person = { sub: randomUUID(), email, email_verified: true }
      const back = await leaving.walk(await follow(authorizeUrl(other)))
      await leaving.close()
      const { url, fragment } = readLanding(await follow(back))
      expect(url.origin).toBe(new URL(other.url).origin)
      expect(fragment.get('error')).toBe('server_error')
      expect(fragment.get('error_description')).toBe('Unable to exchange external code')
    } finally {
      await other.close()
    }
  })
})
