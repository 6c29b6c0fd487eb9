import type { Page } from '@playwright/test'
import { GOOD_PASSWORD, newEmail, runSql, signUpClient } from '#tests/support/browser/e2e-client.ts'
import { expect, failRequests, SIGNED_OUT, test, testApart } from '#tests/support/browser/browser.ts'
import { readEventTypes } from '#tests/support/browser/security-records.ts'

test.use({ session: SIGNED_OUT })

const email = (page: Page) => page.getByRole('textbox', { name: 'Email' })
const password = (page: Page) => page.getByRole('textbox', { name: 'Password' })
const NO_CLASSES = 'Password must contain at least one lowercase, uppercase, number, and special character'
const WEAK = 'Password contains weak patterns or insufficient complexity'

async function signIn(page: Page, address: string, secret: string) {
  await email(page).fill(address)
  await password(page).fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('sign-up names the first broken rule, in the order of the specification (check 14)', async ({
  page,
}) => {
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/auth/v1/signup')) calls.push(request.url())
  })
  await page.goto('/auth')
  await page.getByRole('tab', { name: 'Sign up' }).click()
  const press = () => page.getByRole('button', { name: 'Create account' }).click()
  const expectEmail = async (value: string, expected = '') => {
    await email(page).fill(value)
    await press()
    await expect(email(page), value.slice(0, 40)).toHaveAccessibleDescription(expected)
  }
  const expectPassword = async (value: string, expected?: string) => {
    await password(page).fill(value)
    await press()
    // The first field with an error gets the focus; text typed before that would land in the wrong field.
    await expect(email(page)).toBeFocused()
    // Before the errors, the description lists the rules, each with whether it is met.
    await expect(password(page), value.slice(0, 40)).toHaveAccessibleDescription(
      new RegExp(`admin \\((?:not met yet|met)\\)${expected === undefined ? '' : ` ${expected}`}$`),
    )
  }
  const TOO_SHORT = 'Password must be at least 8 characters'
  const INVALID = 'Invalid email format'
  const CHARACTERS = 'Email contains invalid characters'

  await test.step('the rules of the email', async () => {
    await expectEmail('', 'Email is required')
    await expectEmail('robin', INVALID)
    await expectEmail(`${'a'.repeat(243)}@example.com`, 'Email too long')
    for (const odd of [
      'ro bin@example.com',
      '<robin@example.com',
      'robín@example.com',
      'javascript:a@example.com',
    ])
      await expectEmail(odd, CHARACTERS)
    await expectEmail('data:robin@example.com', CHARACTERS)
    await expectEmail(`  ROBIN@Example.com `)
  })

  await test.step('the rules of the password', async () => {
    // Without an address nothing is sent, however good the password is.
    await email(page).fill('')
    await expectPassword('', TOO_SHORT)
    await expectPassword('aB3$', TOO_SHORT)
    await expectPassword(`aB3$${'xY7-'.repeat(32)}`, 'Password too long')
    await expectPassword('quartzlantern58-', NO_CLASSES)
    await expectPassword('QuartzLantern', NO_CLASSES)
    await expectPassword('8274619035', NO_CLASSES)
    for (const weak of [
      'Quaaartz-58',
      'Quartz-1234',
      'Quartz-123',
      'Abcd-quartz-58',
      'Qwerty-lamp-58',
      'Asdf-lamp-58',
    ])
      await expectPassword(weak, WEAK)
    for (const word of ['Password', 'Admin', 'Login', 'User', 'Test'])
      await expectPassword(`${word}-lamp-58`, WEAK)
    await expectPassword('Quartz-Lantern-58é')
  })
  expect(calls).toEqual([])
})

test('a new account is signed in with its address trimmed and in lower case', async ({ page }) => {
  const address = newEmail()
  await page.goto('/auth?mode=sign-up')
  await email(page).fill(`  ${address.toUpperCase()} `)
  await password(page).fill(GOOD_PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Profile' }).click()
  await expect(page.getByRole('menu')).toContainText(address)
})

test('refusals of the service are shown in the words of the specification', async ({
  page,
  context,
  client,
}) => {
  const alert = page.getByRole('alert')
  await page.goto('/leads')
  await expect(page).toHaveURL(/\/auth\?return_to=%2Fleads$/)

  await test.step('sign-in checks the address and asks for a password before it asks the service', async () => {
    await signIn(page, 'robin', '')
    await expect(page.getByText('Invalid email format', { exact: true })).toBeVisible()
    await expect(page.getByText('Password is required', { exact: true })).toBeVisible()
  })
  await test.step('a wrong password and an unknown account get the same message', async () => {
    await signIn(page, client.email, 'Wrong-Lantern-58')
    await expect(alert).toHaveText('Invalid email or password')
    await signIn(page, newEmail(), GOOD_PASSWORD)
    await expect(alert).toHaveText('Invalid email or password')
  })
  await test.step('an unconfirmed address gets its message', async () => {
    await runSql('update auth.users set email_confirmed_at = null where id = $1', [client.id])
    await signIn(page, client.email, GOOD_PASSWORD)
    await expect(alert).toHaveText('Please check your email and confirm your account')
  })
  await test.step('a blocked account gets the message for any other refusal', async () => {
    await runSql('update auth.users set email_confirmed_at = now() where id = $1', [client.id])
    await runSql("update profiles set status = 'suspended' where user_id = $1", [client.id])
    await signIn(page, client.email, GOOD_PASSWORD)
    await expect(alert).toHaveText(
      'An error occurred. Please try again or contact support if the problem persists',
    )
    await runSql("update profiles set status = 'active' where user_id = $1", [client.id])
  })
  await test.step('without a connection the button is disabled, and says why', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await context.setOffline(true)
    const press = page.getByRole('button', { name: 'Sign in' })
    await expect(press).toHaveAttribute('aria-disabled', 'true')
    await expect(press).toHaveAccessibleDescription('You are offline. This works again once you are back.')
    await password(page).press('Enter')
    await press.focus()
    await expect(page.getByRole('tooltip')).toHaveText('You are offline. This works again once you are back.')
    expect(asked).toEqual([])
    await context.setOffline(false)
    await expect(press).not.toHaveAttribute('aria-disabled')
  })
  await test.step('a request without an answer gets its message', async () => {
    const broken = await failRequests(page, '**/auth/v1/token**')
    await signIn(page, client.email, GOOD_PASSWORD)
    await expect(alert).toHaveText('Connection error. Please try again')
    await broken.end()
  })
  await test.step('the right password then opens the requested screen', async () => {
    await signIn(page, client.email, GOOD_PASSWORD)
    await expect(page).toHaveURL(/\/leads$/)
    await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  })
})

test('an address with an account cannot sign up again', async ({ page, client }) => {
  await page.goto('/auth?mode=sign-up')
  await email(page).fill(client.email)
  await password(page).fill(GOOD_PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('alert')).toHaveText('An account with this email already exists')
})

testApart(
  'five failures block sign-in and sign-up for fifteen minutes (check 13)',
  async ({ page, browser, baseURL }) => {
    const { email: address } = await signUpClient()
    await page.clock.install()
    await page.goto('/auth')
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/auth/v1/token')) calls.push(request.method())
    })
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await signIn(page, address, `Wrong-Lantern-${attempt}`)
      await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
      await expect.poll(() => calls.length).toBe(attempt)
    }
    await test.step('the page itself refuses the sixth try, and says for how long', async () => {
      await signIn(page, address, GOOD_PASSWORD)
      await expect(page.getByRole('alert')).toHaveText(
        'Too many failed attempts. Please try again in 15 minutes.',
      )
      await page.clock.fastForward('01:00')
      await expect(page.getByRole('alert')).toHaveText(
        'Too many failed attempts. Please try again in 14 minutes.',
      )
      await expect(page.getByText(/^1[34]:\d\d left$/)).toBeVisible()
    })
    await test.step('the block ends by the server’s clock, whatever the device’s clock shows', async () => {
      await page.clock.setSystemTime(Date.now() + 2 * 3_600_000)
      await signIn(page, address, GOOD_PASSWORD)
      await expect(page.getByRole('alert')).toHaveText(/^Too many failed attempts/)
      await page.reload()
      // The server's time is known once the form is shown.
      await expect(email(page)).toBeVisible()
      await page.clock.fastForward('05:30')
      await signIn(page, address, GOOD_PASSWORD)
      await expect(page.getByRole('alert')).toHaveText(
        'Too many failed attempts. Please try again in 10 minutes.',
      )
      await page.getByRole('tab', { name: 'Sign up' }).click()
      await email(page).fill(newEmail())
      await password(page).fill(GOOD_PASSWORD)
      await page.getByRole('button', { name: 'Create account' }).click()
      await expect(page.getByRole('alert')).toHaveText(
        /^Too many failed attempts\. Please try again in \d+ minutes\.$/,
      )
      expect(calls).toHaveLength(5)
    })
    await test.step('the service refuses another browser', async () => {
      const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
      const other = await context.newPage()
      await other.goto('/auth')
      await signIn(other, address, GOOD_PASSWORD)
      await expect(other.getByRole('alert')).toHaveText(
        'Too many failed attempts. Please try again in 15 minutes.',
      )
      await context.close()
    })
    await test.step('after fifteen minutes the page says that the block has ended, and asks the service again', async () => {
      await page.getByRole('tab', { name: 'Sign in' }).click()
      await signIn(page, address, GOOD_PASSWORD)
      await expect(page.getByRole('alert')).toHaveText(/^Too many failed attempts/)
      await page.clock.fastForward('15:00')
      await expect(page.getByText('The block is over. You can try again now.')).toBeVisible()
      await signIn(page, newEmail(), GOOD_PASSWORD)
      await expect(page.getByRole('alert')).toHaveText('Invalid email or password')
    })
  },
)

test('a failure of the service is not counted as a failed attempt', async ({ page }) => {
  const { email: address } = await signUpClient()
  const alert = page.getByRole('alert')
  await page.goto('/auth')
  const broken = await failRequests(page, '**/auth/v1/token**')
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    await signIn(page, address, GOOD_PASSWORD)
    await expect.poll(broken.count).toBe(attempt)
    await expect(alert).toHaveText('Connection error. Please try again')
  }
  await broken.end()
  expect(await readEventTypes(page)).toEqual([])
  await test.step('a sign-up without a connection is not counted either', async () => {
    await page.getByRole('tab', { name: 'Sign up' }).click()
    await email(page).fill(newEmail())
    await password(page).fill(GOOD_PASSWORD)
    let tries = 0
    await page.route('**/functions/v1/create-secure-account', (route) => {
      tries += 1
      return route.abort()
    })
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await page.getByRole('button', { name: 'Create account' }).click()
      await expect.poll(() => tries).toBe(attempt)
      await expect(alert).toHaveText('Connection error. Please try again')
    }
    expect(await readEventTypes(page)).toEqual([])
  })
  await page.getByRole('tab', { name: 'Sign in' }).click()
  await signIn(page, address, GOOD_PASSWORD)
  await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
})

test('without providers there is no provider button', async ({ page }) => {
  await page.goto('/auth')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Continue with/ })).toHaveCount(0)
})
