import { expect, test } from '#tests/support/browser/browser.ts'
import {
  chooseOption,
  openConfigurations,
  openCreateDialog,
  openGroup,
} from '#tests/support/browser/integrations-page.ts'

test('the preview renders the template beside it and mends unknown placeholders', async ({ page }) => {
  await openConfigurations(page)
  const dialog = await openCreateDialog(page)
  await openGroup(dialog, 'Advanced options')
  const template = dialog.getByRole('textbox', { name: 'Payload Template' })
  const rendered = dialog.getByRole('region', { name: 'Rendered body' })
  await template.fill(
    '{"id": "{{id}}", "who": "Lead {{nmae}}", "sum": "{{coverage_amount}}", "test": "{{is_test}}"}',
  )
  await expect(dialog.getByText(/Did you mean \{\{name\}\}\?/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Replace' }).click()
  await expect(template).toHaveValue(/Lead \{\{name\}\}/)
  const body = JSON.parse(await rendered.innerText()) as Record<string, unknown>
  expect(body['who']).toMatch(/^Lead \S+/)
  expect(body['sum']).toEqual(expect.any(Number))
  expect(body['test']).toBe(true)
  await chooseOption(dialog, 'Payload Format', 'Form Data')
  await expect(dialog.getByText(/POST · application\/x-www-form-urlencoded · \d+ B/)).toBeVisible()
  await expect(rendered).toContainText('test=true')
})
