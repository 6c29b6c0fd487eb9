import { expect, holdRequests, SIGNED_OUT, test } from '#tests/support/browser/browser.ts'
import { GOOD_PASSWORD, newEmail, signUpClient } from '#tests/support/browser/e2e-client.ts'
import { readEnvironment } from '#tests/support/browser/e2e-environment.ts'
import { openMailLink, readMail } from '#tests/support/browser/e2e-mails.ts'

test.use({ session: SIGNED_OUT })

test('a program that fetches a mail’s link, or renders its page, does not use the link up', async ({
  page,
  context,
}) => {
  const { email } = await signUpClient()
  await page.goto('/auth?mode=forgot')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  const { link } = await readMail(email, 'Choose a new password')
  for (const method of ['HEAD', 'GET']) expect((await fetch(link, { method })).status).toBe(200)
  const scanner = await context.newPage()
  await scanner.goto(link)
  await expect(scanner.getByRole('heading', { level: 1, name: 'Reset your password' })).toBeVisible()
  await scanner.close()

  await openMailLink(page, link)
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
})

test('an incomplete link of a mail says what to do', async ({ page }) => {
  for (const query of ['type=recovery', 'token=abc', 'type=constructor&token=abc']) {
    await page.goto(`/auth/verify?${query}`)
    await expect(page.getByRole('alert')).toContainText('Open the whole link from the email again')
  }
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await expect(page).toHaveURL(/\/auth$/)
})

test('a link without a destination, or with a foreign one, does not lead back to its own button', async ({
  page,
}) => {
  for (const place of ['', '&redirect_to=https://elsewhere.example.com/']) {
    await openMailLink(page, `/auth/verify?type=magiclink&token=abc${place}`)
    await expect(page.getByText('Email link is invalid or has expired')).toBeVisible()
    expect(new URL(page.url()).pathname).not.toBe('/auth/verify')
  }
  const { email } = await signUpClient()
  await page.goto('/auth?mode=code')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: /Email me/ }).click()
  const { link } = await readMail(email, '')
  await openMailLink(page, link.replace(/redirect_to=[^&]*/, ''))
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test('a forgotten password is replaced through a link in a mail', async ({ page, context }) => {
  const { email } = await signUpClient()
  await page.goto('/auth')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect(page.getByText('Look into your mailbox')).toBeVisible()
  const { link } = await readMail(email, 'Choose a new password')
  const bystander = await context.newPage()
  await bystander.goto('/auth')
  await openMailLink(page, link)
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await test.step('no other screen opens before the new password is chosen', async () => {
    await page.goto('/leads')
    await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  })
  await test.step('another tab is signed in, and does not ask for a password', async () => {
    await expect(bystander.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  })
  await page.getByRole('textbox', { name: 'New password' }).fill('Quartz-Lantern')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Password must contain at least one lowercase, uppercase, number, and special character',
  )
  await page.getByRole('textbox', { name: 'New password' }).fill('Copper-Window-93')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('Your new password is set')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
})

test('an invited user first chooses a password', async ({ page }) => {
  const { server, admin } = readEnvironment()
  const post = async (path: string, body: unknown, token = '') => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(server + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(response.status, path).toBe(200)
    return (await response.json()) as { access_token: string }
  }
  const address = newEmail()
  const { access_token: token } = await post('/auth/v1/token?grant_type=password', admin)
  await post('/auth/v1/invite', { email: address }, token)
  const { link } = await readMail(address, 'You are invited')
  await openMailLink(page, link)
  await expect(page.getByRole('heading', { name: 'Choose a password' })).toBeVisible()
  await expect(page.getByText(`Signed in as ${address}`)).toBeVisible()
  await page.reload()
  await page.getByRole('textbox', { name: 'New password' }).fill(GOOD_PASSWORD)
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test('a used link of an e-mail change says so, and the session continues', async ({ page }) => {
  const client = await signUpClient()
  await page.goto('/auth')
  await page.getByRole('textbox', { name: 'Email' }).fill(client.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.goto('/auth/v1/verify?token=0000&type=email_change&redirect_to=/settings')
  await expect(page.getByRole('alert')).toContainText('Email link is invalid or has expired')
  await page.getByRole('button', { name: 'Close the notice' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Profile' })).toBeVisible()
})

test('a password manager gets the user name together with the new password', async ({ page }) => {
  const { email } = await signUpClient()
  await page.goto('/auth?mode=forgot')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  const { link } = await readMail(email, 'Choose a new password')
  await openMailLink(page, link)
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  const username = page.locator('form input[type="text"][autocomplete="username"]')
  await expect(username).toHaveValue(email)
  await expect(username).toBeHidden()
})

test('no form asks for a password while a link is being checked', async ({ page }) => {
  const { email } = await signUpClient()
  await page.goto('/auth?mode=forgot')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  const { link } = await readMail(email, 'Choose a new password')
  const release = await holdRequests(page, '**/auth/v1/user')
  await openMailLink(page, link)
  await expect(page.getByRole('heading', { name: 'Sign in to your leads' })).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  await expect(page.getByRole('textbox')).toHaveCount(0)
  await release()
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
})
