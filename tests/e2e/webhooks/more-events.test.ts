import { expectSound } from '#tests/support/browser/accessibility.ts'
import { expect, failRequests, test, toast } from '#tests/support/browser/browser.ts'
import { openConfigurations, openCreateDialog } from '#tests/support/browser/integrations-page.ts'

test('events are chosen in a closed group, with their default template shown and an own one kept as typed', async ({
  page,
  client: _client,
}) => {
  await openConfigurations(page)
  const dialog = await openCreateDialog(page)
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
  await field('Webhook Name').fill('Example CRM')
  await field('Endpoint URL').fill('https://crm.example.com/leads')
  const group = dialog.getByRole('button', { name: 'More events', exact: true })
  await expect(group).toHaveAccessibleDescription('None')
  await group.click()
  await dialog.getByRole('checkbox', { name: /^Lead returned/ }).check()
  await dialog.getByRole('checkbox', { name: /^Balance low/ }).check()
  await expect(group).toHaveAccessibleDescription('lead.returned, balance.low')

  await dialog.getByRole('button', { name: 'Show template' }).first().click()
  const template = field('Template of lead.returned')
  await expect(template).toHaveValue(/"reason": "{{reason}}"/)
  await template.fill('{"id": {{lead_id}}}')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(template).toHaveAccessibleDescription(/Line 1, column 9/)
  await template.fill('{"who": "{{phone}}"}')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(template).toHaveAccessibleDescription(/{{phone}} is no placeholder of lead.returned/)
  await expectSound(page, 'the events of a webhook')
  await template.fill('{"b": 1.50, "a": "{{reason}}"}')

  const request = page.waitForRequest('**/functions/v1/test-webhook-endpoint')
  await dialog.getByRole('button', { name: 'Send test of lead.returned' }).click()
  expect((await request).postData()).toContain(
    '"event":"lead.returned","custom_headers":{},"payload_template":{},"event_templates":{"lead.returned":{"b": 1.50, "a": "{{reason}}"}}',
  )
  const result = dialog.getByText(/lead\.returned · POST https:\/\/crm\.example\.com\/leads/)
  await expect(result).toBeVisible()
  const failed = dialog.getByText('Test failed', { exact: true })
  await expect(failed).toHaveCount(0)
  const down = await failRequests(page, '**/functions/v1/test-webhook-endpoint')
  await dialog.getByRole('button', { name: 'Send test of lead.returned' }).click()
  await expect(toast(page, 'Failed to test webhook endpoint')).toBeVisible()
  await expect(failed).toBeVisible()
  await down.end()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Webhook created successfully')).toBeVisible()
})
