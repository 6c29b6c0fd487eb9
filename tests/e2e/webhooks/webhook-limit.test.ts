import { dismissToasts, expect, test, toast } from '#tests/support/browser/browser.ts'
import { openConfigurations, openCreateDialog } from '#tests/support/browser/integrations-page.ts'

/** docs/product.md §9 */
const MOST = 100
const endpoint = { endpoint_url: 'http://127.0.0.1:4999/leads' }

test('at the limit of webhooks the form says why it creates no more, and Add Webhook is disabled with the reason', async ({
  page,
  client,
}) => {
  for (let made = 0; made < MOST - 1; made += 11)
    await Promise.all(Array.from({ length: 11 }, () => client.addWebhook(endpoint)))
  await openConfigurations(page)
  const dialog = await openCreateDialog(page)
  await dialog.getByRole('textbox', { name: 'Webhook Name' }).fill('One too many')
  await dialog.getByRole('textbox', { name: 'Endpoint URL' }).fill(endpoint.endpoint_url)
  const last = await client.addWebhook(endpoint)
  // Scrolls to the end of the form, where a user presses the button.
  await dialog.getByRole('switch').last().scrollIntoViewIfNeeded()
  await dialog.getByRole('button', { name: 'Create' }).click()

  const refusal = dialog.getByRole('alert').filter({ hasText: 'The configuration was not saved' })
  await expect(refusal).toContainText('An account may have 100 webhooks at most, and yours has 100.')
  await expect(refusal).toContainText('Delete one that you no longer need')
  await expect(refusal).toBeInViewport()
  await expect(toast(page, 'Failed to save webhook configuration')).toBeVisible()

  await test.step('Add Webhook gives the reason before anything is filled in, until a webhook is deleted', async () => {
    await dismissToasts(page)
    await openConfigurations(page)
    const add = page.getByRole('button', { name: 'Add Webhook' })
    await expect(add).toBeDisabled()
    await expect(add).toHaveAccessibleDescription(
      'You have 100 webhooks; 100 is the most. Delete one to add another.',
    )
    await client.call('DELETE', `/api/v1/webhook-configs/${last}`)
    await openConfigurations(page)
    await expect(page.getByRole('row').filter({ hasText: 'Example CRM' })).toHaveCount(MOST - 1)
    await expect(add).toBeEnabled()
  })
})
