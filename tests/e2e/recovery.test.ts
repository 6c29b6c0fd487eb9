import { expect, SIGNED_OUT, test } from '#tests/support/browser.ts'
import { signUpClient } from '#tests/support/e2e-client.ts'
import { readMail } from '#tests/support/e2e-mails.ts'

test.use({ storageState: SIGNED_OUT })

test('a forgotten password is replaced by way of a mail', async ({ page, context }) => {
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
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await test.step('nothing else opens before it is chosen', async () => {
    await page.goto('/leads')
    await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  })
  await test.step('another tab is signed in and not asked', async () => {
    await expect(bystander.getByRole('heading', { level: 1, name: 'Integrations' })).toBeVisible()
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
