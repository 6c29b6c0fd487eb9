import { expect, test } from '#tests/support/browser/browser.ts'
import {
  chooseOption,
  openConfigurations,
  openCreateDialog,
  openGroup,
} from '#tests/support/browser/integrations-page.ts'

test('each invalid part of a success rule shows its error at its field', async ({
  page,
  client: _client,
}) => {
  await openConfigurations(page)
  const dialog = await openCreateDialog(page)
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
  await openGroup(dialog, 'Advanced options')
  await field('Webhook Name').fill('Example CRM')
  await field('Endpoint URL').fill('https://crm.example.com/leads')
  await dialog.getByRole('button', { name: 'How the answer is read' }).click()
  await chooseOption(dialog, 'Accepted when', 'A JSON value is')
  await field('Accepted when: path').fill('/status')
  await field('Accepted when: value').fill('"success"')
  await chooseOption(dialog, 'Rejected when', 'The text contains')
  await field('Rejected when: text').fill('/error/i')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(field('Accepted when: path')).toHaveAccessibleDescription('Write status instead of /status')
  await expect(field('Accepted when: value')).toHaveAccessibleDescription(
    'Write success instead of "success"',
  )
  await expect(field('Rejected when: text')).toHaveAccessibleDescription('Write error instead of /error/i')

  // Each rule is valid by itself, but the second is never reached.
  await field('Accepted when: path').fill('status')
  await field('Accepted when: value').fill('no error')
  await field('Rejected when: text').fill('error')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(field('Accepted when: value')).toHaveAccessibleDescription(
    'This can never fit: rejected is tried before it, and fits whatever this does',
  )
})
