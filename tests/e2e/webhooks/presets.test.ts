import { expect, test, toast } from '#tests/support/browser/browser.ts'
import {
  chooseAction,
  chooseOption,
  finishCreation,
  openConfigurations,
  openCreateDialog,
  openGroup,
  readTemplate,
} from '#tests/support/browser/integrations-page.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

test('a preset is chosen, filled in, tested and saved, and its rule finds a refusal in a 200', async ({
  page,
  client,
}) => {
  const receiver = await startReceiver()
  await openConfigurations(page)
  let dialog = await openCreateDialog(page)
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
  await openGroup(dialog, 'Advanced options')
  const result = dialog.getByRole('status').filter({ hasText: /\S/ })

  await test.step('the preset fills the form in, and asks for values that only the client knows', async () => {
    await field('Webhook Name').fill('Dialer')
    await chooseOption(dialog, 'Start from', 'Convoso')
    await expect(field('Endpoint URL')).toHaveValue('https://api.convoso.com/v1/leads/insert')
    await expect(dialog.getByRole('combobox', { name: 'Payload Format' })).toHaveText('Form Data')
    const answer = dialog.getByRole('button', { name: 'How the answer is read' })
    await expect(answer).toHaveAccessibleDescription('Looks for accepted · id at data.lead_id')
    await answer.click()
    await expect(dialog.getByRole('combobox', { name: 'Accepted when' })).toHaveText('A JSON value is')
    await expect(field('Id at the receiver')).toHaveValue('data.lead_id')
    await expect.poll(() => readTemplate(dialog)).toContain('<<list_id>>')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(field('Auth token (auth_token)')).toHaveAccessibleDescription(
      'Fill in Auth token (auth_token)',
    )
    await expect(field('List id (list_id)')).toHaveAccessibleDescription('Fill in List id (list_id)')
    await field('Auth token (auth_token)').fill('example-token')
    await field('List id (list_id)').fill('7')
    await expect(dialog.getByRole('region', { name: 'Rendered body' })).toContainText(
      'auth_token=example-token&list_id=7',
    )
  })
  await test.step('the difference to the default shows in signs and words', async () => {
    await dialog.getByRole('tab', { name: 'Difference to default' }).click()
    const difference = dialog.getByRole('region', { name: 'Difference from the default template' })
    await expect(difference).toContainText('+added: list_id=7')
    await expect(difference).toContainText('−removed: phone=%2B12025550143')
    await dialog.getByRole('tab', { name: 'Body', exact: true }).click()
  })
  await test.step('the success rule judges the test', async () => {
    await field('Endpoint URL').fill(`${receiver.url}/insert`)
    const press = dialog.getByRole('button', { name: 'Test Endpoint' })
    receiver.answerWith({ status: 200, body: '{"success":false,"text":"No such list"}' })
    await press.click()
    await expect(result).toContainText('is not the one the success rule asks for: "success" is not true')
    receiver.answerWith({ status: 200, body: '{"success":true,"data":{"lead_id":42}}' })
    await press.click()
    await expect(result).toContainText('its answer says: accepted. Its id for the lead is 42.')
    expect(new URLSearchParams(receiver.requests.at(-1)?.body).get('phone_number')).toBe('2025550143')
  })
  await test.step('another preset asks before it overwrites typed text', async () => {
    await chooseOption(dialog, 'Start from', 'Salesforce')
    const question = page.getByRole('alertdialog', { name: 'Start from Salesforce?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(field('Endpoint URL')).toHaveValue(`${receiver.url}/insert`)
  })
  await test.step('the preset is saved with its constants filled in', async () => {
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(toast(page, 'Webhook created successfully')).toBeVisible()
    await finishCreation(page)
    await chooseAction(page, 'Dialer', 'Edit')
    dialog = page.getByRole('dialog', { name: 'Edit Webhook Configuration' })
    for (const title of ['Advanced options', 'Missing values', 'How the answer is read'])
      await openGroup(dialog, title)
    await expect.poll(() => readTemplate(dialog)).toContain('"list_id": "7"')
    await expect(dialog.getByText('To fill in')).toBeHidden()
    await expect(dialog.getByRole('combobox', { name: 'Missing values' })).toHaveText('Left out')
    await expect(field('Accepted when: path')).toHaveValue('success')
    await expect(field('Accepted when: value')).toHaveValue('true')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })
  await test.step('a delivery carries the outcome to the logs and the receiver’s id to the lead', async () => {
    const [lead] = await client.receiveLeads([{ name: 'Robin Example', phone: '5125550143' }])
    await receiver.waitFor((request) => request.headers['leadwire-event'] === 'lead.assigned')
    await page.goto(`/leads/${lead ?? ''}`)
    await page.getByRole('button', { name: 'Delivery attempts' }).click()
    await expect(page.getByRole('row').filter({ hasText: 'Dialer' })).toContainText('Accepted')
    await expect(page.getByRole('row').filter({ hasText: 'Dialer' })).toContainText('42')
  })
  await receiver.close()
})

test('the preview shows one of the client’s own leads', async ({ page, client }) => {
  await client.receiveLeads([{ name: 'Robin Example', email: 'robin@example.com', city: 'Fresno' }])
  await openConfigurations(page)
  const dialog = await openCreateDialog(page)
  await openGroup(dialog, 'Advanced options')
  await openGroup(dialog, 'Missing values')
  await dialog
    .getByRole('textbox', { name: 'Payload Template' })
    .fill('{"who": "{{name}}", "note": "{{comments}}"}')
  const rendered = dialog.getByRole('region', { name: 'Rendered body' })
  await expect(rendered).toContainText('Test Lead')
  await dialog.getByRole('combobox', { name: 'Preview with a lead of yours' }).fill('robin')
  await dialog.getByRole('option', { name: /Robin Example/ }).click()
  await expect(rendered).toContainText('"who": "Robin Example"')
  await expect(rendered).toContainText('"note": null')
  await chooseOption(dialog, 'Missing values', 'Left out')
  await expect(rendered).not.toContainText('note')
  await dialog.getByRole('button', { name: 'Back to the fictional lead' }).click()
  await expect(rendered).toContainText('Test Lead')
})
