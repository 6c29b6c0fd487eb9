import type { Page } from '@playwright/test'
import { expectSound } from '#tests/support/browser/accessibility.ts'
import { expect, SIGNED_OUT, test } from '#tests/support/browser/browser.ts'
import { startCaptchaServer, type CaptchaServer } from '#tests/support/peers/captcha-server.ts'
import { GOOD_PASSWORD, newEmail } from '#tests/support/browser/e2e-client.ts'
import { readMail } from '#tests/support/browser/e2e-mails.ts'
import { startSecondProduct, type SecondProduct } from '#tests/support/browser/second-product.ts'

const SITE_KEY = 'site-of-leadwire'

let captcha: CaptchaServer
let product: SecondProduct
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  captcha = await startCaptchaServer(SITE_KEY)
  product = await startSecondProduct({
    AUTH_CAPTCHA_PROVIDER: 'turnstile',
    AUTH_CAPTCHA_SECRET: 'shared',
    AUTH_CAPTCHA_SITE_KEY: SITE_KEY,
    AUTH_CAPTCHA_URL: `${captcha.url}/siteverify`,
    AUTH_CAPTCHA_SCRIPT_URL: `${captcha.url}/api.js`,
    AUTH_RATE_GAP_SECONDS: '0',
  })
})
test.afterAll(async () => {
  await product.close()
  await captcha.close()
})
test.use({ session: SIGNED_OUT })
test.beforeEach(() => {
  captcha.checks.length = 0
})

const solve = (page: Page) => page.getByRole('button', { name: 'I am human' }).click()
const fill = async (page: Page, email: string, password?: string) => {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  if (password !== undefined) await page.getByRole('textbox', { name: 'Password' }).fill(password)
}

async function signUp(page: Page, email: string) {
  await page.goto(`${product.url}/auth?mode=sign-up`)
  await fill(page, email, GOOD_PASSWORD)
  await solve(page)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Sign in with your new password.')).toBeVisible()
}

test('a person who revokes consent solves the captcha for each code', async ({ page }) => {
  await page.goto(`${product.url}/revoke`)
  await page.getByLabel('Your phone or email').fill(newEmail())
  const send = page.getByRole('button', { name: 'Send me a code' })
  await expect(page.getByRole('button', { name: 'I am human' })).toBeVisible()
  await send.click()
  await expect(page.getByRole('alert')).toHaveText('Please confirm first that you are human.')
  expect(captcha.checks).toHaveLength(0)
  await solve(page)
  await send.click()
  await expect(page.getByRole('heading', { name: 'Type the code' })).toBeVisible()
  expect(captcha.checks.map(({ isGood }) => isGood)).toEqual([true])
})

test('sign-up and sign-in show the captcha, and each sends its own token', async ({ page }) => {
  const email = newEmail()
  await signUp(page, email)
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await fill(page, email, 'Wrong-Lantern-58')
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true })
  await test.step('without a solution nothing is sent to the service', async () => {
    await signIn.click()
    await expect(page.getByRole('alert')).toHaveText('Please confirm first that you are human.')
    expect(captcha.checks).toHaveLength(1)
  })
  await test.step('after a refusal the captcha token is used up, and a new one is requested', async () => {
    await solve(page)
    await signIn.click()
    await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
    await expect(page.getByRole('button', { name: 'I am human' })).toHaveCount(1)
    await fill(page, email, GOOD_PASSWORD)
    await signIn.click()
    await expect(page.getByRole('alert')).toHaveText('Please confirm first that you are human.')
  })
  await solve(page)
  await signIn.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  expect(captcha.checks.map(({ isGood }) => isGood)).toEqual([true, true, true])
  expect(new Set(captcha.checks.map(({ token }) => token)).size).toBe(3)
})

test('recovery and a mail’s link or code are requested with a captcha token', async ({ page }) => {
  const email = newEmail()
  await signUp(page, email)
  await page.goto(`${product.url}/auth?mode=forgot`)
  await fill(page, email)
  await solve(page)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect(page.getByText('Look into your mailbox')).toBeVisible()

  await page.goto(`${product.url}/auth?mode=code`)
  await fill(page, email)
  await solve(page)
  await page.getByRole('button', { name: 'Email me a link and a code' }).click()
  await page.getByRole('button', { name: 'Send a new code' }).click()
  await expect(page.getByRole('alert')).toHaveText('Please confirm first that you are human.')
  await solve(page)
  await page.getByRole('button', { name: 'Send a new code' }).click()
  const { code } = await readMail(email, 'Your sign-in link', { server: product.url, count: 2 })
  await page.getByRole('textbox', { name: 'Six-digit code' }).fill(code)
  await page.getByRole('button', { name: 'Sign in with the code' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  expect(captcha.checks.map(({ isGood }) => isGood)).toEqual([true, true, true, true])
})

test('a captcha token that the provider refuses shows a message, and does not count as a failed attempt', async ({
  page,
}) => {
  await page.goto(`${product.url}/auth`)
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await fill(page, newEmail(), GOOD_PASSWORD)
    await page.evaluate('crypto.randomUUID = () => "used"')
    await solve(page)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const said =
      attempt === 0
        ? 'Invalid email or password'
        : 'The check that you are human did not pass. Please try again.'
    await expect(page.getByRole('alert')).toHaveText(said)
  }
})

test('the content policy allows only the provider’s script, and a blocked script shows a message', async ({
  page,
}) => {
  captcha.isUp = false
  const response = await page.goto(`${product.url}/auth`)
  const policy = (response?.headers()['content-security-policy'] ?? '').split(';')
  expect(policy).toEqual(
    expect.arrayContaining([
      `script-src 'self' ${captcha.url}`,
      `frame-src 'self' ${captcha.url}`,
      "default-src 'self'",
      "frame-ancestors 'none'",
    ]),
  )
  await expect(page.getByText('The check that you are human could not be loaded.')).toBeVisible()
  await expectSound(page, 'a captcha that is blocked')
  captcha.isUp = true
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('button', { name: 'I am human' })).toBeVisible()
  await expect(page.frameLocator('iframe').locator('html')).toBeAttached()
})
