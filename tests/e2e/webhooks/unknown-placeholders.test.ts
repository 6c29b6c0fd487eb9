import { expect, test } from '#tests/support/browser/browser.ts'
import {
  chooseAction,
  finishCreation,
  openConfigurations,
  openCreateDialog,
  openGroup,
} from '#tests/support/browser/integrations-page.ts'

test('an unknown placeholder is named in the row of its webhook until it is corrected', async ({
  page,
  client: _client,
}) => {
  await openConfigurations(page)
  const row = page.getByRole('row').filter({ hasText: 'Dialer' })
  const notice = row.getByText('Unknown in Payload Template, and sent empty: {{phone_number}}.')

  const dialog = await openCreateDialog(page)
  await dialog.getByLabel('Webhook Name').fill('Dialer')
  await dialog.getByLabel('Endpoint URL').fill('https://crm.example.com/{{state}}')
  const advanced = await openGroup(dialog, 'Advanced options')
  await advanced.getByRole('textbox', { name: 'Payload Template' }).fill('{"phone": "{{phone_number}}"}')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(
    dialog.getByText('{{state}} would be sent as it stands: placeholders are filled in only in values'),
  ).toBeVisible()
  await dialog.getByLabel('Endpoint URL').fill('https://crm.example.com/hook')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await finishCreation(page)
  await expect(notice).toBeVisible()
  await page.reload()
  await expect(notice).toBeVisible()

  await chooseAction(page, 'Dialer', 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit Webhook Configuration' })
  await openGroup(edit, 'Advanced options')
  await edit.getByRole('textbox', { name: 'Payload Template' }).fill('{"phone": "{{phone}}"}')
  await edit.getByRole('button', { name: 'Update', exact: true }).click()
  await expect(edit).toHaveCount(0)
  await expect(row).toBeVisible()
  await expect(notice).toHaveCount(0)
})
