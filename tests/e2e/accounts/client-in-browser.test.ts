import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { importJWK, SignJWT, type JWK } from 'jose'
import { expect, SIGNED_OUT, test } from '#tests/support/browser/browser.ts'
import { GOOD_PASSWORD, newEmail } from '#tests/support/browser/e2e-client.ts'
import { openMailLink, readMail } from '#tests/support/browser/e2e-mails.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startOidcIssuer,
  type OidcIssuer,
} from '#tests/support/peers/oidc-issuer.ts'
import { startSecondProduct, type SecondProduct } from '#tests/support/browser/second-product.ts'
import { showCode } from '#tests/http/accounts/factors/totp-app.ts'

/** The unmodified client, as a page without a bundler loads it. */
const CLIENT = new URL('umd/supabase.js', import.meta.resolve('@supabase/supabase-js'))
const PHONE = '15550100001'
const CODE = '424242'

let product: SecondProduct
let issuer: OidcIssuer
let site: { origin: string; close: () => Promise<void> }
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  site = await serveSite()
  issuer = await startOidcIssuer()
  product = await startSecondProduct({
    AUTH_EMAIL_AUTOCONFIRM: '0',
    AUTH_RATE_GAP_SECONDS: '0',
    AUTH_PHONE_ENABLED: '1',
    AUTH_MFA_PHONE: '1',
    AUTH_TEST_OTP: `${PHONE}=${CODE}`,
    AUTH_ANONYMOUS_USERS: '1',
    AUTH_MANUAL_LINKING: '1',
    AUTH_REDIRECT_ALLOW_LIST: `${site.origin}/**`,
    AUTH_PROVIDERS: JSON.stringify({
      acme: { issuer: issuer.url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
    }),
  })
  issuer.register(`${product.url}/auth/v1/callback`)
})
test.afterAll(async () => {
  await product.close()
  await issuer.close()
  await site.close()
})
test.use({ session: SIGNED_OUT })

let email = ''
let here = ''
test.beforeEach(async ({ page }) => {
  email = newEmail()
  here = `${site.origin}/`
  issuer.person = { sub: randomUUID(), email, email_verified: true, name: 'Ada Buyer' }
  await open(page)
})

/** Serves another web application, on its own origin, with only the client on it. */
async function serveSite() {
  const script = await readFile(fileURLToPath(CLIENT), 'utf8')
  const server = createServer((request, response) => {
    const isScript = request.url === '/client.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><script src="/client.js"></script>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Answer {
  error: { name: string; message: string; code?: string } | null
  data: unknown
}

/** Opens the page, optionally at an address with a fragment or a code, and starts the client there. */
async function open(page: Page, flowType: 'implicit' | 'pkce' = 'implicit', url = here): Promise<void> {
  if (page.url() !== url) await page.goto(url)
  await page.evaluate(`window.events = []
    window.auth = new supabase.AuthClient({ url: '${product.url}/auth/v1', storageKey: 'bare',
      flowType: '${flowType}', autoRefreshToken: false })
    auth.onAuthStateChange((event) => events.push(event))`)
}

/** Calls the client in the page; a refusal fails the test. */
async function call<Data>(page: Page, expression: string): Promise<Data> {
  const { data, error } = await ask(page, expression)
  expect(error, expression).toBeNull()
  return data as Data
}

function ask(page: Page, expression: string): Promise<Answer> {
  return page.evaluate<Answer>(`${expression}.then(({ data, error }) => ({ data,
    error: error && { name: error.name, message: error.message, code: error.code } }))`)
}

const signUp = (page: Page) =>
  call<{ session: unknown }>(
    page,
    `auth.signUp({ email: '${email}', password: '${GOOD_PASSWORD}', options: { emailRedirectTo: '${here}' } })`,
  )
const signIn = (page: Page) =>
  call(page, `auth.signInWithPassword({ email: '${email}', password: '${GOOD_PASSWORD}' })`)
const readUser = async (page: Page) =>
  (
    await call<{ user: { email: string; phone: string; is_anonymous: boolean; identities: unknown[] } }>(
      page,
      'auth.getUser()',
    )
  ).user
const readEvents = (page: Page) => page.evaluate<string[]>('events')

/** Follows the link of the mail and starts the client on the page where it ends. */
async function followMail(page: Page, subject: string, flowType: 'implicit' | 'pkce' = 'implicit') {
  const { link } = await readMail(email, subject, { server: product.url })
  await openMailLink(page, link)
  // The click starts a chain of redirects. It ends at a page whose script has run, which a changed address
  // alone does not prove.
  await page.waitForURL((url) => url.origin === site.origin)
  await open(page, flowType, page.url())
}

async function signUpWhole(page: Page): Promise<void> {
  await signUp(page)
  await followMail(page, 'Confirm your e-mail address')
  await expect.poll(() => readEvents(page)).toContain('SIGNED_IN')
}

test('the client signs up, confirms by the mail’s link, and signs out of the other or all sessions', async ({
  page,
}) => {
  expect((await signUp(page)).session).toBeNull()
  const early = await ask(
    page,
    `auth.signInWithPassword({ email: '${email}', password: '${GOOD_PASSWORD}' })`,
  )
  expect(early.error).toMatchObject({ code: 'email_not_confirmed', message: 'Email not confirmed' })
  await followMail(page, 'Confirm your e-mail address')
  await expect.poll(() => readEvents(page)).toContain('SIGNED_IN')
  expect(await readUser(page)).toMatchObject({ email, is_anonymous: false })
  await call(page, `auth.signOut({ scope: 'others' }).then(({ error }) => ({ data: null, error }))`)
  expect((await readUser(page)).email).toBe(email)
  await call(page, `auth.signOut().then(({ error }) => ({ data: null, error }))`)
  const gone = await ask(page, 'auth.getUser()')
  expect(gone.error).toMatchObject({ name: 'AuthSessionMissingError', message: 'Auth session missing!' })
})

test('the client signs in by a magic link and by its code, and recovers a password', async ({ page }) => {
  await signUpWhole(page)
  await call(page, `auth.signOut().then(({ error }) => ({ data: null, error }))`)
  await call(page, `auth.signInWithOtp({ email: '${email}', options: { emailRedirectTo: '${here}' } })`)
  await followMail(page, 'Your sign-in link')
  await expect.poll(() => readEvents(page)).toContain('SIGNED_IN')

  await call(page, `auth.signInWithOtp({ email: '${email}' })`)
  const { code } = await readMail(email, 'Your sign-in link', { server: product.url, count: 2 })
  await call(page, `auth.verifyOtp({ email: '${email}', token: '${code}', type: 'email' })`)

  await call(page, `auth.resetPasswordForEmail('${email}', { redirectTo: '${here}' })`)
  await followMail(page, 'Choose a new password')
  await expect.poll(() => readEvents(page)).toContain('PASSWORD_RECOVERY')
  await call(page, `auth.updateUser({ password: 'Velvet-Harbour-93' })`)
  expect(await readEvents(page)).toContain('USER_UPDATED')
  await call(page, `auth.signInWithPassword({ email: '${email}', password: 'Velvet-Harbour-93' })`)
})

test('the client keeps PKCE from the request to the mail’s link', async ({ page }) => {
  await page.reload()
  await open(page, 'pkce')
  await signUp(page)
  await followMail(page, 'Confirm your e-mail address', 'pkce')
  await expect.poll(() => readEvents(page)).toContain('SIGNED_IN')
  expect((await readUser(page)).email).toBe(email)
})

for (const flowType of ['implicit', 'pkce'] as const) {
  test(`the client signs in by an OpenID provider (${flowType}), links and unlinks`, async ({ page }) => {
    await page.reload()
    await open(page, flowType)
    await Promise.all([
      page.waitForURL((url) => url.origin === site.origin && url.search + url.hash !== ''),
      page.evaluate(`void auth.signInWithOAuth({ provider: 'acme', options: { redirectTo: '${here}' } })`),
    ])
    await open(page, flowType, page.url())
    await expect.poll(() => readEvents(page)).toContain('SIGNED_IN')
    expect(await readUser(page)).toMatchObject({ email })

    // Otherwise the provider would still know the user.
    await page.context().clearCookies()
    issuer.person = { sub: randomUUID(), email: newEmail(), email_verified: true }
    await Promise.all([
      page.waitForURL((url) => url.origin === site.origin && url.search.includes('linked')),
      page.evaluate(
        `void auth.linkIdentity({ provider: 'acme', options: { redirectTo: '${here}?linked=1' } })`,
      ),
    ])
    await open(page, flowType, page.url())
    await expect.poll(async () => (await readUser(page)).identities.length).toBe(2)
    await call(page, `auth.getUserIdentities().then(({ data }) => auth.unlinkIdentity(data.identities[1]))`)
    expect((await readUser(page)).identities).toHaveLength(1)
  })
}

test('the client raises the session with an authenticator app, and with a phone', async ({ page }) => {
  await signUpWhole(page)
  const level = async () =>
    (await call<{ currentLevel: string }>(page, 'auth.mfa.getAuthenticatorAssuranceLevel()')).currentLevel
  expect(await level()).toBe('aal1')
  const { id, totp } = await call<{ id: string; totp: { secret: string } }>(
    page,
    `auth.mfa.enroll({ factorType: 'totp', friendlyName: 'App' })`,
  )
  await call(page, `auth.mfa.challengeAndVerify({ factorId: '${id}', code: '${showCode(totp.secret)}' })`)
  expect(await level()).toBe('aal2')
  expect(await readEvents(page)).toContain('MFA_CHALLENGE_VERIFIED')

  const phone = await call<{ id: string }>(
    page,
    `auth.mfa.enroll({ factorType: 'phone', friendlyName: 'Phone', phone: '+${PHONE}' })`,
  )
  await call(page, `auth.mfa.challengeAndVerify({ factorId: '${phone.id}', code: '${CODE}' })`)
  await call(page, `auth.mfa.unenroll({ factorId: '${id}' })`)
  const { all } = await call<{ all: unknown[] }>(page, 'auth.mfa.listFactors()')
  expect(all).toHaveLength(1)
})

test('the client signs in anonymously, and keeps the account once it has an address', async ({ page }) => {
  const { user } = await call<{ user: { id: string } }>(page, 'auth.signInAnonymously()')
  expect(await readUser(page)).toMatchObject({ is_anonymous: true, email: '' })
  await call(page, `auth.updateUser({ email: '${email}' }, { emailRedirectTo: '${here}' })`)
  await followMail(page, 'Confirm the change of your e-mail address')
  await expect.poll(async () => (await readUser(page)).email).toBe(email)
  expect(await readUser(page)).toMatchObject({ id: user.id, is_anonymous: false })
})

test('the client signs in by a phone and its code', async ({ page }) => {
  await call(page, `auth.signInWithOtp({ phone: '+${PHONE}' })`)
  await call(page, `auth.verifyOtp({ phone: '+${PHONE}', token: '${CODE}', type: 'sms' })`)
  expect((await readUser(page)).phone).toBe(PHONE)
})

test('the client administers accounts with a service key', async ({ page }) => {
  const jwk = JSON.parse(product.environment.env['JWT_PRIVATE_JWK'] ?? '{}') as JWK
  const key = await new SignJWT({ role: 'service_role' })
    .setProtectedHeader({ alg: 'ES256' })
    .setExpirationTime('5 minutes')
    .sign(await importJWK(jwk, 'ES256'))
  await page.evaluate(`window.service = new supabase.AuthClient({ url: '${product.url}/auth/v1',
    storageKey: 'service', headers: { Authorization: 'Bearer ${key}' } }).admin`)
  const { user } = await call<{ user: { id: string } }>(
    page,
    `service.createUser({ email: '${email}', password: '${GOOD_PASSWORD}', email_confirm: true })`,
  )
  await signIn(page)
  const { users } = await call<{ users: { id: string }[] }>(page, 'service.listUsers()')
  expect(users.map(({ id }) => id)).toContain(user.id)
  await call(page, `service.updateUserById('${user.id}', { ban_duration: '1h' })`)
  expect((await ask(page, 'auth.getUser()')).error).toMatchObject({ name: /Auth(Session|Api)/ })
  await call(page, `service.deleteUser('${user.id}')`)
})

test('the client reports an answer without a session', async ({ page }) => {
  await page.route('**/token?grant_type=password', (route) => route.fulfill({ json: {} }))
  const { error } = await ask(
    page,
    `auth.signInWithPassword({ email: '${email}', password: '${GOOD_PASSWORD}' })`,
  )
  expect(error?.message).toBe('Auth session or user missing')
})
