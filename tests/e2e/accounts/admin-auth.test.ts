import type { Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { expect, SIGNED_OUT, test } from '#tests/support/browser/browser.ts'
import { GOOD_PASSWORD, newEmail } from '#tests/support/browser/e2e-client.ts'
import { startSecondProduct, type SecondProduct } from '#tests/support/browser/second-product.ts'

const ADMIN = 'admin@example.com'
let product: SecondProduct
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  product = await startSecondProduct(
    { AUTH_ADMIN_MFA: '1', SEED_ADMIN_EMAIL: ADMIN, SEED_ADMIN_PASSWORD: GOOD_PASSWORD },
    { worker: false },
  )
})
test.afterAll(() => product.close())
test.use({ session: SIGNED_OUT })

async function signIn(page: Page, email: string) {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
const administration = (page: Page) => page.getByRole('heading', { level: 1, name: 'Overview' })

test('an administrator sets up a second factor, and is asked for it at every sign-in', async ({ page }) => {
  await page.goto(`${product.url}/admin`)
  await expect(page).toHaveURL(/\/admin-auth\?return_to=%2Fadmin$/)
  await expect(page.getByText('Sign up')).toHaveCount(0)
  await signIn(page, ADMIN)
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await test.step('without the second factor the administration stays closed', async () => {
    await page.goto(`${product.url}/admin`)
    await expect(page.getByText('A second factor is needed')).toBeVisible()
    await page.getByRole('link', { name: 'Continue' }).click()
  })
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? ''
  const totp = new TOTP({ secret })
  const code = page.getByRole('textbox', { name: 'Six-digit code' })
  await code.fill(totp.generate())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(administration(page)).toBeVisible()

  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  // The public home page is a new document, which would end another visit.
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await page.goto(`${product.url}/admin-auth`)
  await signIn(page, ADMIN)
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible()
  await code.fill(totp.generate({ timestamp: Date.now() + 30_000 }))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(administration(page)).toBeVisible()
})

test('a client who signs in there reads that the account is not an administrator’s, and is signed out', async ({
  page,
}) => {
  const email = newEmail()
  const answer = await fetch(`${product.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: GOOD_PASSWORD }),
  })
  expect(answer.status).toBe(200)
  await page.goto(`${product.url}/admin-auth`)
  await signIn(page, email)
  await expect(page.getByRole('alert')).toContainText('This account is not an administrator’s.')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(await page.evaluate('localStorage.getItem("leadwire.auth")')).toBeNull()

  await test.step('a client who was already signed in stays signed in', async () => {
    await page.goto(`${product.url}/auth`)
    await signIn(page, email)
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    await page.goto(`${product.url}/admin-auth`)
    await expect(page.getByText('This account is not an administrator’s.')).toBeVisible()
    await page.getByRole('link', { name: 'Back to the app' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  })
})
