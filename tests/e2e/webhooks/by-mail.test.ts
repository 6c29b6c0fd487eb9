import { expect, SIGNED_OUT, test } from '#tests/support/browser/browser.ts'
import { GOOD_PASSWORD, runSqlAt } from '#tests/support/browser/e2e-client.ts'
import { openCreateDialog, openGroup } from '#tests/support/browser/integrations-page.ts'
import { startSecondProduct, type SecondProduct } from '#tests/support/browser/second-product.ts'
import { startMailServer, type MailServer } from '#tests/support/peers/mail-server.ts'

const EMAIL = 'agent@example.com'
let mail: MailServer
let product: SecondProduct
test.beforeAll(async () => {
  mail = await startMailServer()
  product = await startSecondProduct({ SMTP_URL: mail.url, AUTH_EMAIL_AUTOCONFIRM: '0' }, { worker: false })
  await fetch(`${product.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: GOOD_PASSWORD }),
  })
  await runSqlAt(
    product.environment.databaseUrl,
    'update auth.users set email_confirmed_at = now() where email = $1',
    [EMAIL],
  )
})
test.afterAll(async () => {
  await product.close()
  await mail.close()
})
test.use({ session: SIGNED_OUT })

test('a client without a CRM has leads mailed to its own address, and sends a test', async ({ page }) => {
  await page.goto(`${product.url}/auth`)
  await page.getByRole('textbox', { name: 'Email' }).fill(EMAIL)
  await page.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Profile' })).toBeVisible()
  await page.goto(`${product.url}/client-integrations?view=configure`)

  const dialog = await openCreateDialog(page)
  await dialog.getByRole('textbox', { name: 'Webhook Name' }).fill('My mailbox')
  await dialog.getByRole('button', { name: 'No CRM? Send leads by email' }).click()
  await dialog.getByRole('button', { name: EMAIL }).click()
  const url = dialog.getByRole('textbox', { name: 'Endpoint URL' })
  await expect(url).toHaveValue(`mailto:${EMAIL}`)
  await expect(url).toBeFocused()
  await expect(dialog.getByText('Each lead is sent as a mail')).toBeVisible()
  await expect(dialog.getByRole('group', { name: 'Public-key signature' })).toHaveCount(0)
  await openGroup(dialog, 'Advanced options')
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('name: Test Lead')
  await dialog.getByRole('button', { name: 'Create' }).click()

  const step = page.getByRole('dialog', { name: 'Leads by email' })
  await expect(step.getByRole('region', { name: 'Signing secret' })).toHaveCount(0)
  await step.getByRole('button', { name: 'Send a test' }).click()
  await expect(step.getByText(/The mail server took the mail/)).toBeVisible()
  const [sent] = await mail.waitForCount(1)
  expect(sent?.to).toEqual([EMAIL])

  await step.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Actions for My mailbox' }).click()
  await expect(page.getByRole('menuitem', { name: 'Test Endpoint' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Certify endpoint' })).toHaveCount(0)
})
