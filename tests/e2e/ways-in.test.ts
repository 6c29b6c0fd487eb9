import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, SIGNED_OUT, test } from '#tests/support/browser.ts'
import { newEmail } from '#tests/support/e2e-client.ts'
import { CLIENT_ID, CLIENT_SECRET, startOidcIssuer, type OidcIssuer } from '#tests/support/oidc-issuer.ts'
import { startSecondProduct, type SecondProduct } from '#tests/support/second-product.ts'

let product: SecondProduct
let issuer: OidcIssuer
test.beforeAll(async () => {
  issuer = await startOidcIssuer()
  const provider = { issuer: issuer.url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET }
  product = await startSecondProduct({
    AUTH_MANUAL_LINKING: '1',
    AUTH_PROVIDERS: JSON.stringify({
      'acme-id': provider,
      away: { ...provider, issuer: 'http://127.0.0.1:9' },
    }),
  })
  issuer.register(`${product.url}/auth/v1/callback`)
})
test.afterAll(async () => {
  await product.close()
  await issuer.close()
})
test.use({ storageState: SIGNED_OUT })

let email = ''
test.beforeEach(() => {
  email = newEmail()
  issuer.person = { sub: randomUUID(), email, email_verified: true, name: 'Ada Buyer' }
})

async function continueWith(page: Page, name: string, path = '/auth') {
  await page.goto(product.url + path)
  await page.getByRole('button', { name: `Continue with ${name}` }).click()
}

test('a provider signs in, by PKCE, and back to the screen that was asked for', async ({ page }) => {
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

test('a person or provider that says no is said, without the provider’s words', async ({ page }) => {
  issuer.person = undefined
  await continueWith(page, 'Acme id')
  await expect(page.getByRole('alert')).toContainText('You are not signed in')
  await expect(page.getByRole('alert')).toContainText('Acme id did not confirm it: you, or it, said no.')
  await expect(page.getByText('The person said no')).toHaveCount(0)
  expect(page.url()).toBe(`${product.url}/auth`)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a provider that is away, and a code from elsewhere, are said', async ({ page }) => {
  await continueWith(page, 'Away')
  await expect(page.getByRole('alert')).toContainText('Away could not be asked. Please try again later.')
  await page.goto(`${product.url}/auth?code=${'a'.repeat(43)}`)
  await expect(page.getByRole('alert')).toContainText(
    'It was begun in another window. Please try again here.',
  )
  await expect(page).toHaveURL(`${product.url}/auth`)
})

test('without providers there is no button', async ({ page, baseURL }) => {
  await page.goto(`${baseURL ?? ''}/auth`)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Continue with/ })).toHaveCount(0)
})
