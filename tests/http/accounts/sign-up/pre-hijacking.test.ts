import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OidcIssuer } from '#tests/support/peers/oidc-issuer.ts'
import { PASSWORD } from '#tests/support/given/password.ts'
import { newAdministrator } from '../people/administer.ts'
import { openLink, readLinkMail } from '../codes/read-link-mail.ts'
import { call, newEmail, type AuthServer } from '../wire/start-auth-server.ts'
import { startWithIssuer } from '../providers/start-with-issuer.ts'
import { authorizeUrl, walkOAuth } from '../providers/walk-oauth.ts'

// The attack: a stranger creates an account for a victim's address, whose mails he cannot read, and waits for
// the victim.
const STRANGERS = 'Strangers-Choice-58'

let issuer: OidcIssuer
let server: AuthServer
let close: () => Promise<void>
beforeAll(async () => {
  ;({ server, issuer, close } = await startWithIssuer({
    AUTH_EMAIL_AUTOCONFIRM: '0',
    AUTH_RATE_GAP_SECONDS: '0',
  }))
})
afterAll(() => close())

let email = ''
beforeEach(() => {
  email = newEmail()
  issuer.person = { sub: randomUUID(), email, email_verified: false }
})

/** Returns the page where the newest mail's link ends. */
async function followMail() {
  const { fragment } = await openLink((await readLinkMail(server, email)).url)
  const token = fragment.get('access_token') ?? ''
  const { status, body } = await call(server, '/user', { headers: { Authorization: `Bearer ${token}` } })
  return { status, user: body as { id?: string; identities?: { provider: string }[]; app_metadata?: object } }
}

async function tryPassword(password: string) {
  const { error } = await server.newClient().signInWithPassword({ email, password })
  return error?.code
}

/** Returns the result for the stranger who signs in by the provider that lets him claim the address. */
async function comeByProvider() {
  return (await walkOAuth(issuer, authorizeUrl(server))).fragment
}

const WAYS = {
  'a sign-up': () => server.newClient().signUp({ email, password: PASSWORD }),
  'a magic link': () => server.newClient().signInWithOtp({ email }),
  'a recovery': () => server.newClient().resetPasswordForEmail(email),
  'an invitation': async () => (await newAdministrator(server)).auth.admin.inviteUserByEmail(email),
}

describe('a provider’s account that claimed an address before its owner did', () => {
  for (const [way, come] of Object.entries(WAYS))
    it(`signs nobody in after ${way} of the owner`, async () => {
      expect((await comeByProvider()).get('error_code')).toBe('provider_email_needs_verification')
      expect((await come()).error).toBeNull()
      const { status, user } = await followMail()
      expect(status).toBe(200)
      expect(user.identities?.map(({ provider }) => provider)).toEqual(['email'])
      expect(user.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
      const again = await comeByProvider()
      expect(again.get('access_token')).toBeNull()
      expect(again.get('error_code')).toBe('provider_email_needs_verification')
    })
})

describe('a password that was chosen before the address’s owner signed up', () => {
  for (const [way, come] of Object.entries(WAYS))
    it(`is invalid after ${way} of the owner`, async () => {
      await server.newClient().signUp({ email, password: STRANGERS })
      expect((await come()).error).toBeNull()
      expect((await followMail()).status).toBe(200)
      expect(await tryPassword(STRANGERS)).toBe('invalid_credentials')
    })

  it('is invalid after a link that an administrator sends', async () => {
    const administrator = await newAdministrator(server)
    for (const type of ['invite', 'recovery', 'magiclink'] as const) {
      email = newEmail()
      await server.newClient().signUp({ email, password: STRANGERS })
      const { data, error } = await administrator.auth.admin.generateLink({ type, email })
      expect(error).toBeNull()
      const { fragment } = await openLink(data.properties?.action_link ?? '')
      expect(fragment.get('access_token')).not.toBeNull()
      expect(await tryPassword(STRANGERS)).toBe('invalid_credentials')
    }
  })
})

describe('a password of one of two users who sign up with an address', () => {
  const signUp = (password: string) => server.newClient().signUp({ email, password })

  it.each([
    ['before', [STRANGERS, PASSWORD]],
    ['after', [PASSWORD, STRANGERS]],
    ['before and after', [STRANGERS, PASSWORD, STRANGERS]],
  ])('is refused if the stranger signs up with the address %s its owner', async (_when, passwords) => {
    await signUp(passwords[0] ?? '')
    const old = await readLinkMail(server, email)
    for (const password of passwords.slice(1)) {
      const { data, error } = await signUp(password)
      expect(error).toBeNull()
      expect(data.user?.identities).toHaveLength(1)
    }
    expect((await openLink(old.url)).fragment.get('error_code')).toBe('otp_expired')
    const { code } = await readLinkMail(server, email)
    const owner = server.newClient()
    expect((await owner.verifyOtp({ email, token: code, type: 'signup' })).error).toBeNull()
    for (const password of passwords)
      expect((await server.newClient().signInWithPassword({ email, password })).error?.code).toBe(
        'invalid_credentials',
      )
    expect((await owner.updateUser({ password: 'Own-Lantern-71' })).error).toBeNull()
    expect((await owner.signInWithPassword({ email, password: 'Own-Lantern-71' })).error).toBeNull()
  })

  it('stays valid if it is the same at every sign-up', async () => {
    for (let times = 0; times < 3; times += 1) expect((await signUp(PASSWORD)).error).toBeNull()
    await openLink((await readLinkMail(server, email)).url)
    const { error } = await server.newClient().signInWithPassword({ email, password: PASSWORD })
    expect(error).toBeNull()
  })
})
