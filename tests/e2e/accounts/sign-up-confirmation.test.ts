import { expect, SIGNED_OUT, test, toast } from '#tests/support/browser/browser.ts'
import { GOOD_PASSWORD, newEmail, runSqlAt } from '#tests/support/browser/e2e-client.ts'
import { openMailLink, readMail } from '#tests/support/browser/e2e-mails.ts'
import { startSecondProduct, type SecondProduct } from '#tests/support/browser/second-product.ts'

const BYPASS = 'tester@example.com'
const SECOND_BYPASS = 'second.tester@example.com'
let product: SecondProduct
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  product = await startSecondProduct({
    AUTH_EMAIL_AUTOCONFIRM: '0',
    AUTH_RATE_GAP_SECONDS: '600',
    BYPASS_ACCOUNTS: `${BYPASS},${SECOND_BYPASS}`,
  })
})
test.afterAll(() => product.close())
test.use({ session: SIGNED_OUT })

const CONFIRM = 'Please check your email and confirm your account'

for (const screen of ['/auth?mode=sign-up', '/secure-signup']) {
  test(`an account of ${screen} opens once its address is confirmed`, async ({ page }) => {
    const address = newEmail()
    const fill = async () => {
      await page.getByRole('textbox', { name: 'Email' }).fill(address)
      await page.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
    }
    await page.goto(product.url + screen)
    await fill()
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByText(CONFIRM, { exact: true })).toBeVisible()

    await test.step('an unconfirmed account cannot sign in', async () => {
      await page.goto(`${product.url}/auth`)
      await fill()
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByRole('alert')).toHaveText(CONFIRM)
    })
    const mail = { server: product.url }
    if (screen === '/secure-signup') {
      await runSqlAt(product.environment.databaseUrl, 'delete from auth.send_gaps')
      await page.getByRole('button', { name: 'Send the mail again' }).click()
      const { code } = await readMail(address, 'Confirm your e-mail address', { ...mail, count: 2 })
      await page.getByLabel('Six-digit code').fill(code)
      await page.getByRole('button', { name: 'Confirm with the code' }).click()
    } else {
      const { link } = await readMail(address, 'Confirm your e-mail address', mail)
      expect(new URL(link).searchParams.get('redirect_to')).toBe(`${product.url}/dashboard`)
      await openMailLink(page, link)
    }
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    expect(page.url()).not.toContain('access_token')
  })
}

test('an address that is taken is answered like a new one', async ({ page }) => {
  const address = newEmail()
  const signUp = async () => {
    await page.goto(`${product.url}/auth?mode=sign-up`)
    await page.getByRole('textbox', { name: 'Email' }).fill(address)
    await page.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByText(CONFIRM, { exact: true })).toBeVisible()
  }
  await signUp()
  const { link } = await readMail(address, 'Confirm your e-mail address', { server: product.url })
  await openMailLink(page, link)
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.evaluate('localStorage.clear()')
  await runSqlAt(product.environment.databaseUrl, 'delete from auth.send_gaps')
  await signUp()
  const { text } = await readMail(address, 'You have an account already', { server: product.url })
  expect(text).toContain(`${product.url}/auth`)
  expect(text).not.toContain('/verify')
})

test('an account of BYPASS_ACCOUNTS signs up directly at the authentication service', async ({ page }) => {
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await page.goto(`${product.url}/auth?mode=sign-up`)
  await page.getByRole('textbox', { name: 'Email' }).fill(BYPASS)
  await page.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText(CONFIRM, { exact: true })).toBeVisible()
  expect(paths.filter((path) => /signup$|create-secure/.test(path))).toEqual([
    '/functions/v1/create-secure-account',
    '/auth/v1/signup',
  ])
})

test('an account of BYPASS_ACCOUNTS passes the anti-forgery check, and the block at sign-up', async ({
  page,
}) => {
  const forge = () => page.evaluate('sessionStorage.setItem("csrf_token", "0".repeat(64))')
  const submit = async (address: string, button: string) => {
    await page.getByRole('textbox', { name: 'Email' }).fill(address)
    await page.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
    await page.getByRole('button', { name: button }).click()
  }
  await page.goto(`${product.url}/auth?mode=sign-up`)
  await test.step('other accounts are refused', async () => {
    await forge()
    await submit(newEmail(), 'Create account')
    await expect(page.getByRole('alert')).toHaveText('Security validation failed')
    await page.evaluate('sessionStorage.setItem("leadwire.login-limiter", `5:${Date.now()}`)')
    await submit(newEmail(), 'Create account')
    await expect(page.getByRole('alert')).toHaveText(/^Too many failed attempts/)
  })
  await forge()
  await submit(SECOND_BYPASS, 'Create account')
  await expect(page.getByText(CONFIRM, { exact: true })).toBeVisible()
  await test.step('the check at sign-in is passed as well', async () => {
    await page.goto(`${product.url}/auth`)
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await forge()
    await submit(SECOND_BYPASS, 'Sign in')
    await expect(page.getByRole('alert')).toHaveText(CONFIRM)
  })
})

test('a second sign-up right after the first is delayed', async ({ page }) => {
  const address = newEmail()
  for (const expected of [CONFIRM, 'Too many attempts. Please try again later']) {
    await page.goto(`${product.url}/auth?mode=sign-up`)
    await page.getByRole('textbox', { name: 'Email' }).fill(address)
    await page.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByText(expected, { exact: true })).toBeVisible()
  }
})

test('a user who waits for the confirmation sees the address, and can request the mail again or start over', async ({
  page,
}) => {
  const address = newEmail()
  await page.goto(`${product.url}/auth?mode=sign-up`)
  await page.getByRole('textbox', { name: 'Email' }).fill(address)
  await page.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText(CONFIRM, { exact: true })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Account created' })).toContainText(address)
  await test.step('the code of the mail opens the account like its link, and a wrong code says how many tries are left', async () => {
    const { code } = await readMail(address, 'Confirm your e-mail address', { server: product.url })
    const wrong = code.replace(/^./, (digit) => String((Number(digit) + 1) % 10))
    await page.getByLabel('Six-digit code').fill(wrong)
    await page.getByRole('button', { name: 'Confirm with the code' }).click()
    await expect(page.getByRole('alert')).toHaveText('Invalid OTP. 2 attempts remaining.')
  })
  await test.step('a second mail within a short time is refused, with its reason', async () => {
    await page.getByRole('button', { name: 'Send the mail again' }).click()
    await expect(page.getByRole('alert')).toHaveText('Too many attempts. Please try again later')
  })
  await test.step('the second mail is sent later', async () => {
    await runSqlAt(product.environment.databaseUrl, 'delete from auth.send_gaps')
    await page.getByRole('button', { name: 'Send the mail again' }).click()
    await expect(toast(page, 'The mail is on its way again')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    const mail = await readMail(address, 'Confirm your e-mail address', { server: product.url, count: 2 })
    expect(new URL(mail.link).searchParams.get('redirect_to')).toBe(`${product.url}/dashboard`)
  })
  await page.getByRole('button', { name: 'Use another address' }).click()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(address)
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue('')
})
