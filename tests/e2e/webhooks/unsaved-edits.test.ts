import { expect, test, toast } from '#tests/support/browser/browser.ts'
import {
  chooseAction,
  openConfigurations,
  openCreateDialog,
} from '#tests/support/browser/integrations-page.ts'

test('Back asks before it discards typed text, and goes back once the user agrees', async ({ page }) => {
  await page.goto('/client-integrations')
  await page.getByRole('button', { name: 'Configure Webhooks' }).click()
  const dialog = await openCreateDialog(page)
  const name = dialog.getByLabel('Webhook Name')
  await name.fill('Field CRM')
  await page.goBack()
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(name).toHaveValue('Field CRM')
  await expect(page).toHaveURL(/\?view=configure$/)
  await page.goBack()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/\?view=configure$/)
  await page.goBack()
  await expect(page).toHaveURL(/client-integrations$/)
  await expect(page.getByRole('button', { name: 'Configure Webhooks' })).toBeVisible()
})

test('a form says that somebody else has saved meanwhile before it overwrites that version', async ({
  page,
  client,
}) => {
  const saved = { webhook_name: 'Field CRM', endpoint_url: 'http://127.0.0.1:4999/first' }
  const path = `/api/v1/webhook-configs/${await client.addWebhook(saved)}`
  const stored = () => client.call<Record<string, unknown>>('GET', path)
  await openConfigurations(page)
  await chooseAction(page, 'Field CRM', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Webhook Configuration' })
  await dialog.getByLabel('Webhook Name').fill('Main CRM')
  await client.call('PATCH', path, { endpoint_url: 'http://127.0.0.1:4999/second', is_active: false })
  await dialog.getByRole('button', { name: 'Update' }).click()

  const notice = dialog.getByRole('alert').filter({ hasText: 'This webhook was changed while you edited it' })
  await expect(notice).toContainText('Saved meanwhile: Endpoint URL, Active. Nothing of yours is saved yet.')
  await expect(notice).toBeInViewport()
  await expect(dialog.getByLabel('Webhook Name')).toHaveValue('Main CRM')
  expect(await stored()).toMatchObject({
    webhook_name: 'Field CRM',
    endpoint_url: 'http://127.0.0.1:4999/second',
    is_active: false,
  })

  await dialog.getByRole('button', { name: 'Update' }).click()
  await expect(toast(page, 'Webhook updated successfully')).toBeVisible()
  expect(await stored()).toMatchObject({ ...saved, webhook_name: 'Main CRM', is_active: true })
})
