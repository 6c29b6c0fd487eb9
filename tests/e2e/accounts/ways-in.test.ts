import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expectSound } from '#tests/support/browser/accessibility.ts'
import { beginSession, expect, SIGNED_OUT, test, testApart, toast } from '#tests/support/browser/browser.ts'
import { GOOD_PASSWORD, newEmail, runSqlAt } from '#tests/support/browser/e2e-client.ts'
import { readMail } from '#tests/support/browser/e2e-mails.ts'
import type { OidcIssuer } from '#tests/support/peers/oidc-issuer.ts'
import type { SecondProduct } from '#tests/support/browser/second-product.ts'
import { startWithIssuer } from './start-with-issuer.ts'

/** This number gets no message and always has this code; no other phone can be reached. */
const PHONE = '15550100001'
const CODE = '424242'

let product: SecondProduct
let issuer: OidcIssuer
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  ;({ product, issuer } = await startWithIssuer({
    AUTH_MFA_PHONE: '1',
    AUTH_TEST_OTP: `${PHONE}=${CODE}`,
  }))
})
test.afterAll(async () => {
  await product.close()
  await issuer.close()
})
test.use({ session: SIGNED_OUT })

let email = ''
test.beforeEach(() => {
  email = newEmail()
  issuer.person = { sub: randomUUID(), email, email_verified: true, name: 'Ada Buyer' }
})

const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) })

async function continueWith(page: Page, name: string, path = '/auth') {
  await page.goto(product.url + path)
  await page.getByRole('button', { name: `Continue with ${name}` }).click()
}

async function signInByProvider(page: Page) {
  await continueWith(page, 'Acme id')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
}

/** Signs in with an address that signed up by password; its email is confirmed at once. */
async function beginWithPassword(page: Page) {
  const response = await fetch(`${product.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: GOOD_PASSWORD }),
  })
  expect(response.status).toBe(200)
  await beginSession(page, await response.text(), product.url)
}

test('a user signs in by a provider, through PKCE, and returns to the requested screen', async ({ page }) => {
  const authorized = page.waitForRequest(/\/auth\/v1\/authorize/)
  await continueWith(page, 'Acme id', '/leads')
  expect(new URL((await authorized).url()).searchParams.get('code_challenge_method')).toBe('s256')
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  await expect(page).toHaveURL(`${product.url}/leads`)
  await page.getByRole('button', { name: 'Profile' }).click()
  await expect(page.getByRole('menu')).toContainText(email)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
})

testApart('PKCE works where the browser has no digest to offer, as without https', async ({ page }) => {
  await page.addInitScript(`Object.defineProperty(window, 'isSecureContext', { value: false })`)
  const authorized = page.waitForRequest(/\/auth\/v1\/authorize/)
  await signInByProvider(page)
  expect(new URL((await authorized).url()).searchParams.get('code_challenge_method')).toBe('plain')
})

test('a refusal by the user or the provider shows a message, without the provider’s text', async ({
  page,
}) => {
  issuer.person = undefined
  await continueWith(page, 'Acme id')
  await expect(page.getByRole('alert')).toContainText('You are not signed in')
  await expect(page.getByRole('alert')).toContainText(
    'Acme id did not confirm it: you or the provider refused.',
  )
  await expect(page.getByText('The person said no')).toHaveCount(0)
  await expectSound(page, 'sign-in by provider, refused')
  expect(page.url()).toBe(`${product.url}/auth`)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('an unreachable provider and a foreign code each show a message', async ({ page }) => {
  await continueWith(page, 'Away')
  await expect(page.getByRole('alert')).toContainText('Away could not be reached. Please try again later.')
  await page.goto(`${product.url}/Auth/?code=${'a'.repeat(43)}`)
  await expect(page.getByRole('alert')).toContainText(
    'It was begun in another window. Please try again here.',
  )
  await expect(page).toHaveURL(`${product.url}/Auth/`)
})

test('a provider is linked in the settings and unlinked again; the last way to sign in stays', async ({
  page,
}) => {
  await beginWithPassword(page)
  await page.goto(`${product.url}/settings?tab=security`)
  const methods = card(page, 'Sign-in methods')
  await expect(methods.getByRole('listitem')).toHaveText(
    /^Email.*Your only way to sign in, so it cannot be unlinked/,
  )
  await expect(methods.getByRole('button', { name: /^Unlink/ })).toHaveCount(0)

  issuer.person = { sub: randomUUID(), email: 'other@acme.example', email_verified: true }
  await methods.getByRole('button', { name: 'Link Acme id' }).click()
  await expect(toast(page, 'Acme id is linked')).toBeVisible()
  await expect(page).toHaveURL(`${product.url}/settings?tab=security`)
  await expect(methods.getByRole('listitem')).toHaveText([/^Email/, /^Acme id.*other@acme\.example/])
  await expect(card(page, 'Sessions').getByRole('listitem')).toHaveCount(1)
  await expect(card(page, 'Recent activity')).toContainText('Another way to sign in added')

  await methods.getByRole('button', { name: 'Unlink Acme id' }).click()
  await expectSound(page, 'the question before unlinking')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(methods.getByRole('button', { name: 'Unlink Acme id' })).toBeFocused()
  await methods.getByRole('button', { name: 'Unlink Acme id' }).click()
  await page
    .getByRole('alertdialog', { name: 'Unlink Acme id?' })
    .getByRole('button', { name: 'Unlink' })
    .click()
  await expect(toast(page, 'Acme id is unlinked')).toBeVisible()
  await expect(methods.getByRole('listitem')).toHaveCount(1)
  await expect(methods.locator(':focus')).toBeVisible()
  await test.step('removing the address also removes its password', async () => {
    await methods.getByRole('button', { name: 'Link Acme id' }).click()
    await methods.getByRole('button', { name: 'Unlink Email' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click()
    await expect(toast(page, 'Email is unlinked')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Set a password' })).toBeVisible()
    await expect(methods.getByRole('listitem')).toHaveText(/^Acme id.*Your only way to sign in/)
  })
})

test('a provider’s account that belongs to another user is not linked', async ({ page, context }) => {
  const { person } = issuer
  await signInByProvider(page)
  await context.clearCookies()
  await page.evaluate('localStorage.clear()')
  email = newEmail()
  await beginWithPassword(page)
  issuer.person = person
  await page.goto(`${product.url}/settings?tab=security`)
  await page.getByRole('button', { name: 'Link Acme id' }).click()
  await expect(page.getByRole('alert')).toContainText('The account was not linked')
  await expect(page.getByRole('alert')).toContainText('This account of Acme id is linked already.')
  await expect(card(page, 'Sign-in methods').getByRole('listitem')).toHaveCount(1)
})

test('a session that was ended elsewhere leads to the sign-in screen when a provider is linked', async ({
  page,
}) => {
  await beginWithPassword(page)
  await page.goto(`${product.url}/settings?tab=security`)
  const link = page.getByRole('button', { name: 'Link Acme id' })
  await expect(link).toBeVisible()
  const ofAccount = 'user_id = (select id from auth.users where email = $1)'
  await runSqlAt(product.environment.databaseUrl, `delete from auth.sessions where ${ofAccount}`, [email])
  // The page's own requests may find the end first; then there is no button any more.
  const signIn = page.getByRole('heading', { name: 'Sign in to your leads' })
  await Promise.race([link.click(), signIn.waitFor()])
  await expect(signIn).toBeVisible()
})

test('a user who signed up by a provider sets a first password', async ({ page, context }) => {
  await signInByProvider(page)
  await page.goto(`${product.url}/settings?tab=security`)
  const password = page.getByRole('textbox', { name: 'New password' })
  await expect(password).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Current password' })).toHaveCount(0)
  await password.fill(GOOD_PASSWORD)
  await page.getByRole('button', { name: 'Set a password' }).click()
  await expect(toast(page, 'Your password is set. Your other sessions were signed out.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Current password' })).toBeVisible()
  await context.clearCookies()
  await page.evaluate('localStorage.clear()')
  await page.goto(`${product.url}/auth`)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test('a session older than a day changes the password only with a mailed code', async ({ page }) => {
  await beginWithPassword(page)
  await runSqlAt(
    product.environment.databaseUrl,
    `update auth.sessions set created_at = now() - interval '2 days'
     where user_id = (select id from auth.users where email = $1)`,
    [email],
  )
  await page.goto(`${product.url}/settings?tab=security`)
  await page.getByRole('textbox', { name: 'Current password' }).fill(GOOD_PASSWORD)
  await page.getByRole('textbox', { name: 'New password' }).fill('Copper-Window-93')
  const save = page.getByRole('button', { name: 'Change password' })
  await save.click()
  const code = page.getByRole('textbox', { name: 'Six-digit code' })
  await expect(code).toBeFocused()
  await expect(card(page, 'Password')).toContainText(`Type the code that we sent to ${email}`)
  await save.click()
  await expect(page.getByRole('alert')).toHaveText('Type the six digits')
  await expectSound(page, 'the code beside the new password')
  const first = await readMail(email, 'code', { server: product.url })
  await code.fill(String((Number(first.code) + 1) % 1_000_000).padStart(6, '0'))
  await save.click()
  await expect(page.getByRole('alert')).toHaveText('The code is not right, or no longer good.')

  await runSqlAt(
    product.environment.databaseUrl,
    "update auth.one_time_tokens set code_expires_at = now() where kind = 'reauthentication'",
  )
  await code.fill(first.code)
  // The same text may still be shown.
  const judged = page.waitForResponse((response) => response.request().method() === 'PUT')
  await save.click()
  await judged
  await expect(page.getByRole('alert')).toHaveText('The code is not right, or no longer good.')
  await page.getByRole('button', { name: 'Send a new code' }).click()
  await expect(code).toHaveValue('')
  const second = await readMail(email, 'code', { server: product.url, count: 2 })
  await code.fill(second.code)
  await save.click()
  await expect(toast(page, 'Your password is changed. Your other sessions were signed out.')).toBeVisible()
  await expect(code).toHaveCount(0)
})

test('a phone is set up as the second factor, and requested at sign-in', async ({ page, context }) => {
  await beginWithPassword(page)
  await page.goto(`${product.url}/settings?tab=security`)
  const add = page.getByRole('button', { name: 'Add a phone' })
  await add.click()
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(add).toBeFocused()
  await page.keyboard.press('Enter')
  const form = page.getByRole('form', { name: 'Set up a phone' })
  const number = form.getByRole('textbox', { name: 'Phone' })
  const send = form.getByRole('button', { name: 'Send the code' })
  await expect(number).toBeFocused()
  await number.fill('555 0100')
  await send.click()
  await expect(form.getByRole('alert')).toHaveText(/^Type the number with its country code/)
  await number.fill('+1 555 010 0009')
  await send.click()
  await expect(form.getByRole('alert')).toHaveText('No message can be sent to phones at the moment.')
  await number.fill('+1 (555) 010-0001')
  await send.click()
  const code = page.getByRole('textbox', { name: 'Six-digit code' })
  await expect(code).toBeFocused()
  await code.fill('000000')
  await form.getByRole('button', { name: 'Turn on' }).click()
  await expect(form.getByRole('alert')).toHaveText(
    'This code is not right. Type the code that we sent you last.',
  )
  await expectSound(page, 'the code of a phone, refused')
  await form.getByRole('button', { name: 'Send another code' }).click()
  await expect(code).toHaveValue('')
  await code.fill(CODE)
  await form.getByRole('button', { name: 'Turn on' }).click()
  await expect(toast(page, 'Two-factor sign-in is on')).toBeVisible()
  await expect(card(page, 'Two-factor sign-in').getByRole('listitem')).toHaveText(/^Phoneends in 01 · added/)

  await context.clearCookies()
  await page.evaluate('localStorage.clear()')
  await page.goto(`${product.url}/auth`)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled()
  await page.getByRole('button', { name: 'Send the code' }).click()
  await expect(page.getByText('We sent it to the phone that ends in 01. Good for 5 minutes')).toBeVisible()
  await expect(code).toBeFocused()
  await code.fill(CODE)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})
