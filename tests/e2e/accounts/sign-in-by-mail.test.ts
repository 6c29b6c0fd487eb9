import type { Page } from '@playwright/test'
import { expect, SIGNED_OUT, test, testApart } from '#tests/support/browser/browser.ts'
import { newEmail, runSql, signUpClient } from '#tests/support/browser/e2e-client.ts'
import { openMailLink, readMail } from '#tests/support/browser/e2e-mails.ts'

test.use({ session: SIGNED_OUT })

const SIGN_IN_MAIL = 'Your sign-in link'
const code = (page: Page) => page.getByRole('textbox', { name: 'Six-digit code' })
const dashboard = (page: Page) => page.getByRole('heading', { level: 1, name: 'Dashboard' })

async function askForMail(page: Page, address: string) {
  await page.goto('/auth')
  await page.getByRole('link', { name: 'Sign in by mail' }).click()
  await page.getByRole('textbox', { name: 'Email' }).fill(address)
  await page.getByRole('button', { name: 'Email me a link and a code' }).click()
  await expect(code(page)).toBeVisible()
}

async function tryCode(page: Page, digits: string) {
  await code(page).fill(digits)
  await page.getByRole('button', { name: 'Sign in with the code' }).click()
}

const other = (digits: string) => String((Number(digits) + 1) % 1_000_000).padStart(6, '0')

test('the link of a mail signs in only once', async ({ page, browser, baseURL }) => {
  const { email } = await signUpClient()
  await askForMail(page, email)
  const { link } = await readMail(email, SIGN_IN_MAIL)
  await openMailLink(page, link)
  await expect(dashboard(page)).toBeVisible()
  expect(page.url()).not.toContain('access_token')

  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const elsewhere = await context.newPage()
  await openMailLink(elsewhere, link)
  await expect(elsewhere).toHaveURL(/\/auth/)
  await expect(elsewhere.getByRole('alert')).toContainText('Email link is invalid or has expired')
  await elsewhere.reload()
  await expect(elsewhere.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(elsewhere.getByRole('alert')).toHaveCount(0)
  await context.close()
})

test('the text of a forged link is not shown', async ({ page }) => {
  await page.goto('/auth#error=access_denied&error_code=strange&error_description=Call+555-0100+now')
  await expect(page.getByRole('alert')).toContainText(
    'An error occurred. Please try again or contact support if the problem persists',
  )
  await expect(page.getByText('555-0100')).toHaveCount(0)
  await page.goto('/no-such-page')
  await page.goto('/auth#message=Call+555-0100+now')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText('555-0100')).toHaveCount(0)
})

test('a failed link is not mentioned after another sign-in', async ({ page }) => {
  const client = await signUpClient()
  await page.goto('/dashboard#error=access_denied&error_code=otp_expired&error_description=x')
  await expect(page).toHaveURL(/\/auth\?return_to=%2Fdashboard$/)
  await expect(page.getByRole('alert')).toContainText('Email link is invalid or has expired')
  await page.getByRole('textbox', { name: 'Email' }).fill(client.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(client.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(dashboard(page)).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('the code of a mail signs in after a wrong code, even after a reload', async ({ page }) => {
  const { email } = await signUpClient()
  await askForMail(page, email)
  const mail = await readMail(email, SIGN_IN_MAIL)
  await tryCode(page, '12')
  await expect(page.getByText('Type the six digits')).toBeVisible()
  await tryCode(page, other(mail.code))
  await expect(page.getByText('Invalid OTP. 2 attempts remaining.', { exact: true })).toBeVisible()
  await page.reload()
  await tryCode(page, ` ${mail.code.slice(0, 3)} ${mail.code.slice(3)} `)
  await expect(dashboard(page)).toBeVisible()
  const kept = await page.evaluate<string[]>('Object.keys(sessionStorage)')
  expect(kept.filter((key) => key.startsWith('otp_'))).toEqual([])
})

test('three wrong codes end the mailed code', async ({ page }) => {
  const { email } = await signUpClient()
  await askForMail(page, email)
  const mail = await readMail(email, SIGN_IN_MAIL)
  for (const left of [2, 1, 0]) {
    await tryCode(page, other(mail.code))
    await expect(page.getByText(`Invalid OTP. ${left} attempts remaining.`, { exact: true })).toBeVisible()
  }
  await tryCode(page, mail.code)
  await expect(
    page.getByText('Too many failed attempts. Please request a new OTP.', { exact: true }),
  ).toBeVisible()
  await tryCode(page, mail.code)
  await expect(page.getByText('No OTP found. Please request a new one.', { exact: true })).toBeVisible()
})

testApart('a code is valid for five minutes', async ({ page }) => {
  const { email } = await signUpClient()
  await page.clock.install()
  await askForMail(page, email)
  const mail = await readMail(email, SIGN_IN_MAIL)
  await page.clock.fastForward('05:01')
  await tryCode(page, mail.code)
  await expect(page.getByText('OTP has expired. Please request a new one.', { exact: true })).toBeVisible()
  await tryCode(page, mail.code)
  await expect(page.getByText('No OTP found. Please request a new one.', { exact: true })).toBeVisible()
})

test('a new code can be requested a minute after the last one', async ({ page }) => {
  const { email } = await signUpClient()
  await askForMail(page, email)
  await page.getByRole('button', { name: 'Send a new code' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    /^A mail was sent a moment ago\. You can ask for another in \d+ seconds?\.$/,
  )
  await runSql("update auth.send_gaps set sent_at = sent_at - interval '2 minutes'", [])
  await page.getByRole('button', { name: 'Send a new code' }).click()
  const second = await readMail(email, SIGN_IN_MAIL, { count: 2 })
  await tryCode(page, second.code)
  await expect(dashboard(page)).toBeVisible()
})

test('an address without an account is answered like any other', async ({ page }) => {
  await askForMail(page, newEmail())
  await tryCode(page, '123456')
  await expect(page.getByText('Invalid OTP. 2 attempts remaining.', { exact: true })).toBeVisible()
})

test('a mail that cannot be sent shows a message', async ({ page }) => {
  await page.goto('/auth?mode=code')
  await page.route('**/auth/v1/otp**', (route) =>
    route.fulfill({ status: 400, json: { code: 'email_provider_disabled', message: 'off' } }),
  )
  await page.getByRole('textbox', { name: 'Email' }).fill(newEmail())
  await page.getByRole('button', { name: 'Email me a link and a code' }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to send OTP. Please try again.')
})

test('the tokens of a link stay in no history entry', async ({ context }) => {
  // A tab of its own, because the shared one may have reached the limit of history entries.
  const page = await context.newPage()
  const { email } = await signUpClient()
  await askForMail(page, email)
  const { link } = await readMail(email, SIGN_IN_MAIL)
  await page.goto('/no-such-page')
  const before = await page.evaluate<number>('history.length')
  await openMailLink(page, link)
  await expect(dashboard(page)).toBeVisible()
  expect(await page.evaluate('history.length')).toBe(before + 1)
  expect(page.url()).not.toContain('#')
  await page.goBack()
  await expect(page).toHaveURL(/\/no-such-page$/)
})
