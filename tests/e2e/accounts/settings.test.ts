import type { Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { expect, holdRequests, test, toast } from '#tests/support/browser/browser.ts'
import { GOOD_PASSWORD, newEmail, runSql, signUpClient } from '#tests/support/browser/e2e-client.ts'
import { openMailLink, readMail } from '#tests/support/browser/e2e-mails.ts'

const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) })

/** Returns the code that an app with this secret shows now. */
function codeOf(secret: string): string {
  return new TOTP({ secret }).generate()
}

async function setUpApp(page: Page) {
  await page.goto('/settings?tab=security')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  const secret = (await page.getByLabel('Secret', { exact: true }).textContent()) ?? ''
  const code = page.getByRole('textbox', { name: 'Six-digit code' })
  await expect(code).toBeFocused()
  await code.fill(codeOf(secret))
  await code.press('Enter')
  await expect(toast(page, 'Two-factor sign-in is on')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add another app' })).toBeFocused()
}

async function signIn(page: Page, email: string, password: string) {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('the profile menu, the sidebar and the balance lead to the settings', async ({ page }) => {
  await page.goto('/leads')
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await expect(page).toHaveURL(/\/settings\?tab=profile$/)
  await expect(page.getByRole('tab', { name: 'Profile' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('link', { name: /Balance/ }).click()
  await expect(page).toHaveURL(/\/settings\?tab=billing$/)
  await expect(page.getByRole('tabpanel')).toContainText('$0.00')
  await page.getByRole('navigation').getByRole('link', { name: 'Leads' }).click()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await page.getByRole('tab', { name: 'Security' }).click()
  await expect(page).toHaveURL(/\/settings\?tab=security$/)
})

test('a new name appears in the profile menu', async ({ page }) => {
  await page.goto('/settings')
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('   ')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Name is required')).toBeVisible()
  await name.fill('Robin <Sample>')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(toast(page, 'Your name is saved')).toBeVisible()
  await page.getByRole('button', { name: 'Profile' }).click()
  await expect(page.getByRole('menu')).toContainText('Robin Sample')
})

test('a new address replaces the old one after the links of both mails were opened', async ({
  page,
  client,
}) => {
  const next = newEmail()
  await page.goto('/settings?tab=profile')
  const field = page.getByRole('textbox', { name: 'New email' })
  await field.fill(client.email.toUpperCase())
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText('This is your address already')).toBeVisible()
  await field.fill(next)
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText('Waiting for confirmation')).toBeVisible()
  const mails = [
    await readMail(client.email, 'Confirm the change'),
    await readMail(next, 'Confirm the change'),
  ] as const
  await openMailLink(page, mails[0].link)
  await expect(
    page.getByText('Confirmation link accepted. Please proceed to confirm link sent to the other email'),
  ).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await openMailLink(page, mails[1].link)
  await expect(page.getByRole('tabpanel')).toContainText(`Your address is ${next}`)
  await expect(page.getByText('Waiting for confirmation')).toHaveCount(0)
})

test('an address of another account is refused', async ({ page }) => {
  const other = await signUpClient()
  await page.goto('/settings?tab=profile')
  await page.getByRole('textbox', { name: 'New email' }).fill(other.email)
  await page.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'A user with this email address has already been registered',
  )
})

test('a user changes the password with the present one', async ({ page, client, context }) => {
  await page.goto('/settings?tab=security')
  const current = page.getByRole('textbox', { name: 'Current password' })
  const next = page.getByRole('textbox', { name: 'New password' })
  const save = page.getByRole('button', { name: 'Change password' })
  await current.fill('Wrong-Lantern-58')
  await next.fill('Copper-Window-93')
  await save.click()
  await expect(page.getByRole('alert')).toHaveText('The current password is not right.')
  await current.fill(client.password)
  await next.fill(client.password)
  await save.click()
  await expect(page.getByRole('alert')).toHaveText('New password should be different from the old password.')
  await current.fill(client.password)
  await next.fill('Copper-Window-93')
  await save.click()
  await expect(toast(page, 'Your password is changed. Your other sessions were signed out.')).toBeVisible()
  await expect(current).toHaveValue('')
  await expect(page.getByRole('list', { name: 'Recent activity' })).toContainText('Account created')
  await context.clearCookies()
  await page.evaluate('localStorage.removeItem("leadwire.auth")')
  await page.goto('/auth')
  await signIn(page, client.email, 'Copper-Window-93')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test('an authenticator app is set up, asked for at sign-in, and removed', async ({ page, client }) => {
  await setUpApp(page)
  const factors = card(page, 'Two-factor sign-in')
  await page.getByRole('button', { name: 'Make recovery codes' }).click()
  const codes = factors.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recovery = (await codes.first().textContent()) ?? ''
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(factors).toContainText('10 of 10 left')
  await expect(factors).toContainText('On')
  await expect(factors).toContainText('Authenticator app')
  await expect(card(page, 'Sessions')).toContainText('Two factors')
  await expect(card(page, 'Recent activity')).toContainText('Second factor confirmed')

  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  // The public home page is a new document, which would end another visit.
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await page.goto('/leads')
  await signIn(page, client.email, GOOD_PASSWORD)
  await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible()
  await test.step('the password alone opens no screen', async () => {
    await page.goto('/leads')
    await expect(page.getByRole('heading', { name: 'Confirm that it is you' })).toBeVisible()
  })
  const code = page.getByRole('textbox', { name: 'Six-digit code' })
  await code.fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'This code is not right. Type the code that your app shows now.',
  )
  await expect(code).toBeFocused()
  await expect(code).toHaveValue('')
  await test.step('another user can leave the question, and is signed out', async () => {
    await page.getByRole('button', { name: 'Use another account' }).click()
    await expect(toast(page, 'Signed out successfully')).toBeVisible()
    await page.goto('/leads')
    await signIn(page, client.email, GOOD_PASSWORD)
  })
  await test.step('a user who has lost the phone signs in with a recovery code', async () => {
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    const field = page.getByRole('textbox', { name: 'Recovery code' })
    await expect(field).toBeFocused()
    await field.fill('AAAAA-AAAAA')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('alert')).toHaveText('This recovery code is not right, or was used before.')
    await field.fill(recovery.toLowerCase())
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  })

  await page.goto('/settings?tab=security')
  await expect(factors).toContainText('9 of 10 left')
  await expect(card(page, 'Sessions')).toContainText('Two factors')
  await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page, 'The second factor is removed')).toBeVisible()
  await expect(factors).toContainText('Off')
  await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeFocused()
  await expect(card(page, 'Sessions')).not.toContainText('Two factors')
  await expect(card(page, 'Recent activity')).toContainText('Second factor removed')
})

test('the security settings appear all at once, so that no button moves', async ({ page }) => {
  const release = await holdRequests(page, '**/api/v1/me/password')
  const known = page.waitForResponse('**/auth/v1/user')
  await page.goto('/settings?tab=security')
  await known
  await expect(page.getByRole('tabpanel').getByRole('status', { name: 'Loading' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(0)
  await release()
  await expect(card(page, 'Password')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible()
})

test('an unfinished setup starts again after a reload', async ({ page }) => {
  await page.goto('/settings?tab=security')
  const begin = page.getByRole('button', { name: 'Set up an authenticator app' })
  await begin.click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await page.getByRole('textbox', { name: 'Six-digit code' }).fill('000000')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'This code is not right. Type the code that your app shows now.',
  )
  await page.reload()
  await begin.click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(begin).toBeVisible()
})

test('sessions are listed, ended one by one, and all others ended at once', async ({
  page,
  client,
  browser,
  baseURL,
}) => {
  // One browser shows what happens to an ended session; the list needs no other open browsers.
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const other = await context.newPage()
  await other.goto('/auth')
  await signIn(other, client.email, client.password)
  await expect(other.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  const userAgent = await page.evaluate<string>('navigator.userAgent')
  for (let count = 0; count < 2; count += 1) {
    const data = { email: client.email, password: client.password }
    const url = '/auth/v1/token?grant_type=password'
    expect((await page.request.post(url, { data, headers: { 'user-agent': userAgent } })).ok()).toBe(true)
  }
  await page.goto('/settings?tab=security')
  const list = card(page, 'Sessions')
  await expect(list.getByRole('listitem')).toHaveCount(4)
  await expect(list.getByText('This session')).toHaveCount(1)
  await list
    .getByRole('button', { name: /^Sign out Chrome/ })
    .first()
    .click()
  await expect(toast(page, 'The session is signed out')).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(3)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(toast(page, 'You are signed out everywhere else')).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  // Its own polling may already have left the screen.
  await other.goto('/leads')
  await expect(other).toHaveURL(/\/auth\?return_to/)
  await context.close()
})

test('the account’s activity is listed, ten rows at a time', async ({ page, client }) => {
  await runSql(
    `insert into auth.audit_log (action, user_id, ip, user_agent)
     select 'sign_in_failed', $1, '203.0.113.7', 'Mozilla/5.0 (iPhone) Safari/604.1' from generate_series(1, 12)`,
    [client.id],
  )
  await page.goto('/settings?tab=security')
  const list = page.getByRole('list', { name: 'Recent activity' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  await expect(list.getByRole('listitem').first()).toContainText('Wrong password')
  await expect(list.getByRole('listitem').first()).toContainText('Safari on iOS · 203.0.113.7')
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(list).toContainText('Account created')
})
