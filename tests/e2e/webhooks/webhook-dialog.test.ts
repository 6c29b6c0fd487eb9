import {
  dismissToasts,
  expect,
  failRequests,
  holdRequests,
  test,
  toast,
} from '#tests/support/browser/browser.ts'
import {
  chooseAction,
  chooseOption,
  finishCreation,
  openConfigurations,
  openCreateDialog,
  openGroup,
  readTemplate,
  typeAndEscape,
} from '#tests/support/browser/integrations-page.ts'

const INVALID_JSON = 'Invalid JSON in payload template or custom headers'
const DEFAULT_TEMPLATE = {
  lead_id: '{{id}}',
  name: '{{name}}',
  email: '{{email}}',
  phone: '{{phone}}',
  lead_type: '{{lead_type}}',
  state: '{{state}}',
  city: '{{city}}',
  created_at: '{{created_at}}',
}

test('a press before the form has loaded opens the form, and the focus returns to its place', async ({
  page,
}) => {
  const release = await holdRequests(page, '**/assets/WebhookDialog-*.js')
  await openConfigurations(page)
  const dialog = await openCreateDialog(page)
  await expect(dialog.getByRole('status')).toHaveText('Loading the form')
  await release()
  await expect(dialog.getByLabel('Webhook Name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add Webhook' })).toBeFocused()
})

test('a webhook is created, edited and refused in the words of the specification', async ({
  page,
  client,
}) => {
  await openConfigurations(page)
  let dialog = await openCreateDialog(page)
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
  const active = () => dialog.getByRole('switch', { name: 'Active', exact: true })

  await test.step('a new configuration begins with the defaults of the specification (check 7)', async () => {
    await expect(field('Webhook Name')).toHaveValue('')
    await expect(field('Webhook Name')).toHaveAttribute('aria-required', 'true')
    await expect(field('Endpoint URL')).toHaveValue('')
    await expect(field('Endpoint URL')).toHaveAttribute('aria-required', 'true')
    await expect(field('Endpoint URL')).toHaveAttribute('type', 'url')
    await expect(dialog.getByRole('combobox', { name: 'HTTP Method' })).toHaveText('POST')
    await expect(dialog.getByRole('combobox', { name: 'Payload Format' })).toHaveText('JSON')
    await expect(active()).toBeChecked()
    await expect(dialog.getByRole('switch', { name: 'Trigger when lead is assigned' })).toBeChecked()
    await expect(field('Custom Headers')).toHaveCount(0)
    const advanced = await openGroup(dialog, 'Advanced options')
    await expect(advanced.getByRole('switch', { name: 'Trigger when lead is received' })).not.toBeChecked()
    await expect(advanced.getByText(/Fires immediately on ingest, before assignment/)).toBeVisible()
    await expect(advanced.getByRole('textbox', { name: 'Custom Headers' })).toHaveValue('{}')
    await expect(advanced.getByRole('textbox', { name: 'Payload Template' })).toBeVisible()
    expect(JSON.parse(await readTemplate(dialog))).toEqual(DEFAULT_TEMPLATE)
    await expect(advanced.getByRole('button', { name: 'Test Endpoint' })).toBeDisabled()
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Create' })).toBeVisible()
  })
  await test.step('the form offers the methods and formats', async () => {
    const options = page.getByRole('listbox').getByRole('option')
    await dialog.getByRole('combobox', { name: 'HTTP Method' }).click()
    await expect(options).toHaveText(['POST', 'PUT', 'PATCH'])
    await options.filter({ hasText: 'PATCH' }).click()
    await dialog.getByRole('combobox', { name: 'Payload Format' }).click()
    await expect(options).toHaveText(['JSON', 'Form Data'])
    await options.filter({ hasText: 'Form Data' }).click()
  })

  const writes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(request.method())
  })
  await test.step('name and a URL are required', async () => {
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(field('Webhook Name')).toHaveAccessibleDescription('Webhook Name is required')
    await expect(field('Endpoint URL')).toHaveAccessibleDescription('Endpoint URL is required')
    await expect(field('Webhook Name')).toBeFocused()
    await field('Webhook Name').fill('Field CRM')
    await field('Endpoint URL').fill('not a url')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(field('Endpoint URL')).toHaveAccessibleDescription(/Enter a full URL/)
    const warning = dialog.getByText(/Plain http:\/\/ is not encrypted/)
    await field('Endpoint URL').fill('http://crm.example.com/leads')
    await expect(warning).toBeVisible()
    await field('Endpoint URL').fill('http://127.0.0.1:4999/leads')
    await expect(warning).toHaveCount(0)
  })
  await test.step('invalid JSON in either text is not sent, neither by Create nor by Test Endpoint (check 8)', async () => {
    for (const [name, broken, good] of [
      ['Custom Headers', '{"x-team": }', '{"x-team": "sales"}'],
      ['Payload Template', '{"name": "{{name}}"', '{"who": "{{name}}"}'],
    ] as const) {
      await field(name).fill(broken)
      for (const button of ['Create', 'Test Endpoint']) {
        await dialog.getByRole('button', { name: button }).click()
        await expect(toast(page, INVALID_JSON)).toBeVisible()
        await dismissToasts(page)
      }
      await field(name).fill(good)
    }
    expect(writes).toEqual([])
  })
  await test.step('a failed save keeps the form', async () => {
    const failing = await failRequests(page, '**/api/v1/webhook-configs', ['POST'])
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(dialog.getByRole('button', { name: 'Saving...' })).toBeVisible()
    await expect(toast(page, 'Failed to save webhook configuration')).toBeVisible()
    await expect(field('Webhook Name')).toHaveValue('Field CRM')
    expect(failing.count()).toBe(2)
    await failing.end()
  })
  await test.step('a forbidden endpoint URL is refused with its reason', async () => {
    await field('Endpoint URL').fill('http://10.0.0.8/leads')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(toast(page, 'Failed to save webhook configuration')).toBeVisible()
    await expect(field('Endpoint URL')).toHaveAccessibleDescription(/private|internal|public/i)
    await field('Endpoint URL').fill('http://127.0.0.1:4999/leads')
  })
  await test.step('Create saves, shows a message and adds the row', async () => {
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(toast(page, 'Webhook created successfully')).toBeVisible()
    await expect(dialog).toHaveCount(0)
    const step = page.getByRole('dialog', { name: 'What your receiver needs' })
    await expect(step.getByText('webhook-signature', { exact: true })).toBeVisible()
    await expect(step.getByRole('tab')).toHaveText(['Node', 'Python', 'PHP', 'Ruby', 'Go', 'Java'])
    await expect(step.getByRole('button', { name: 'Copy secret' })).toBeVisible()
    await step.getByRole('button', { name: 'Send a test' }).click()
    await expect(
      step.getByRole('region', { name: 'Send a test' }).getByText(/refused the connection/),
    ).toBeVisible()
    await finishCreation(page)
    await expect(page.getByRole('row').filter({ hasText: 'Field CRM' })).toContainText('PATCH')
    const { data } = await client.call<{ data: unknown[] }>('GET', '/api/v1/webhook-configs')
    expect(data).toEqual([
      expect.objectContaining({
        webhook_name: 'Field CRM',
        endpoint_url: 'http://127.0.0.1:4999/leads',
        request_method: 'PATCH',
        payload_type: 'FORM',
        is_active: true,
        trigger_on_lead_assigned: true,
        trigger_on_lead_created: false,
        payload_template: { who: '{{name}}' },
        client_user_id: client.id,
        created_by: client.id,
      }),
    ])
  })
  await test.step('the form resets each time it opens, and asks before it discards typed text (check 21)', async () => {
    dialog = await openCreateDialog(page)
    await expect(field('Webhook Name')).toHaveValue('')
    for (const leave of [
      () => typeAndEscape(field('Webhook Name'), 'Never saved'),
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(4, 400),
    ]) {
      await leave()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
      await expect(page.getByRole('alertdialog')).toHaveCount(0)
      await expect(field('Webhook Name')).toHaveValue('Never saved')
    }
    const asked = page.waitForEvent('dialog')
    const reloading = page.evaluate('location.reload()')
    await (await asked).dismiss()
    await reloading
    await expect(field('Webhook Name')).toHaveValue('Never saved')
    await openGroup(dialog, 'Advanced options')
    await expect(field('Custom Headers')).toHaveValue('{}')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click()
    await expect(dialog).toHaveCount(0)
    dialog = await openCreateDialog(page)
    await expect(field('Webhook Name')).toHaveValue('')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
  })
  await test.step('Edit shows the saved values and updates them', async () => {
    await chooseAction(page, 'Field CRM', 'Edit')
    dialog = page.getByRole('dialog', { name: 'Edit Webhook Configuration' })
    await expect(field('Webhook Name')).toHaveValue('Field CRM')
    await expect(dialog.getByRole('combobox', { name: 'HTTP Method' })).toHaveText('PATCH')
    await expect(dialog.getByRole('combobox', { name: 'Payload Format' })).toHaveText('Form Data')
    await field('Webhook Name').fill('Field CRM, renamed')
    await active().click()
    await chooseOption(dialog, 'HTTP Method', 'PUT')
    const release = await holdRequests(page, '**/api/v1/webhook-configs/*')
    await dialog.getByRole('button', { name: 'Update' }).click()
    await expect(dialog.getByRole('button', { name: 'Saving...' })).toBeVisible()
    await release()
    await expect(toast(page, 'Webhook updated successfully')).toBeVisible()
    const row = page.getByRole('row').filter({ hasText: 'Field CRM, renamed' })
    await expect(row).toContainText('PUT')
    await expect(row).toContainText('Inactive')
  })
  await test.step('the form of another configuration shows its own values (check 21)', async () => {
    await client.addWebhook({ webhook_name: 'Second CRM', endpoint_url: 'http://127.0.0.1:4999/second' })
    await openConfigurations(page)
    for (const name of ['Field CRM, renamed', 'Second CRM']) {
      await chooseAction(page, name, 'Edit')
      await expect(field('Webhook Name')).toHaveValue(name)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect(dialog).toHaveCount(0)
    }
  })
  await test.step('conditions and hours are set by keyboard, and errors show at their fields', async () => {
    await chooseAction(page, 'Second CRM', 'Edit')
    const fits = await openGroup(dialog, 'Send only what fits')
    await expect(fits.getByText('Every lead · at any hour')).toBeVisible()
    await fits.getByRole('button', { name: 'Add a condition' }).press('Enter')
    await expect(fits.getByRole('combobox', { name: 'Condition 1: field' })).toBeFocused()
    const states = fits.getByRole('combobox', { name: 'Condition 1: values' })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(states).toBeFocused()
    await page.keyboard.type('calif')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Ontario')
    await fits.getByRole('switch', { name: 'Only at these hours' }).click()
    await fits.getByLabel('Tuesday from').fill('')
    await fits.getByRole('button', { name: 'Send only what fits' }).press('Enter')
    await expect(states).toHaveCount(0)
    await page.keyboard.press('Control+Enter')
    await expect(states).toBeFocused()
    await expect(states).toBeInViewport()
    await expect(states).toHaveAccessibleDescription('“Ontario” is no state')
    await expect(fits.getByLabel('Tuesday from')).toHaveAccessibleDescription('Enter both times')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('TX')
    await page.keyboard.press('Enter')
    await expect(states).not.toHaveAccessibleDescription(/./)
    await fits.getByLabel('Tuesday from').fill('10:00')
    await expect(fits.getByText(/^State is CA or TX · Mon 9:00 AM to 5:00 PM, Tue 10:00 AM/)).toBeVisible()
  })
  await test.step('the preview says whether its lead would be sent, and Update keeps the settings', async () => {
    const fits = await openGroup(dialog, 'Send only what fits')
    const advanced = await openGroup(dialog, 'Advanced options')
    await expect(advanced.getByText(/^This lead would be sent/)).toBeVisible()
    await chooseOption(dialog, 'Condition 1: fits when it', 'is none of')
    await expect(
      advanced.getByText('This lead would not be sent: state does not fit its conditions.'),
    ).toBeVisible()
    await chooseOption(dialog, 'Time zone', 'Central (Chicago)')
    await fits.getByRole('button', { name: 'Add a condition' }).click()
    await fits.getByRole('button', { name: 'Remove condition 2' }).press('Enter')
    await expect(fits.getByRole('combobox', { name: 'Condition 1: field' })).toBeFocused()
    await page.keyboard.press('Control+Enter')
    await expect(toast(page, 'Webhook updated successfully')).toBeVisible()
    const { data } = await client.call<{ data: unknown[] }>('GET', '/api/v1/webhook-configs')
    expect(data).toContainEqual(
      expect.objectContaining({
        webhook_name: 'Second CRM',
        conditions: { match: 'all', rules: [{ field: 'state', is_not: ['CA', 'TX'] }] },
        sending_hours: {
          timezone: 'America/Chicago',
          schedule: expect.objectContaining({ tue: [['10:00', '17:00']] }) as unknown,
        },
      }),
    )
  })
})
