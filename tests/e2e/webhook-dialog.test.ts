import { dismissToasts, expect, failRequests, holdRequests, test, toast } from '#tests/support/browser.ts'
import {
  chooseAction,
  chooseOption,
  openConfigurations,
  openCreateDialog,
} from '#tests/support/integrations-page.ts'
import { startReceiver } from '#tests/support/receiver.ts'

const INVALID_JSON = 'Invalid JSON in payload template or custom headers'
const ROLES = ['button', 'textbox', 'combobox', 'switch'] as const
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

test('a webhook is created, edited and refused in the words of the specification', async ({
  page,
  client,
}) => {
  await openConfigurations(page)
  let dialog = await openCreateDialog(page)
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
  const active = () => dialog.getByRole('switch', { name: 'Active', exact: true })

  await test.step('a new configuration begins with the defaults of the specification', async () => {
    await expect(field('Webhook Name')).toHaveValue('')
    await expect(field('Webhook Name')).toHaveAttribute('aria-required', 'true')
    await expect(field('Endpoint URL')).toHaveValue('')
    await expect(field('Endpoint URL')).toHaveAttribute('aria-required', 'true')
    await expect(field('Endpoint URL')).toHaveAttribute('type', 'url')
    await expect(dialog.getByRole('combobox', { name: 'HTTP Method' })).toHaveText('POST')
    await expect(dialog.getByRole('combobox', { name: 'Payload Format' })).toHaveText('JSON')
    await expect(active()).toBeChecked()
    await expect(dialog.getByRole('switch', { name: 'Trigger when lead is assigned' })).toBeChecked()
    const advanced = dialog.getByRole('group', { name: 'Advanced options' })
    await expect(advanced.getByRole('switch', { name: 'Trigger when lead is received' })).not.toBeChecked()
    await expect(advanced.getByText(/Fires immediately on ingest, before assignment/)).toBeVisible()
    await expect(advanced.getByRole('textbox', { name: 'Custom Headers' })).toHaveValue('{}')
    const template = advanced.getByRole('textbox', { name: 'Payload Template' })
    expect(JSON.parse(await template.inputValue())).toEqual(DEFAULT_TEMPLATE)
    await expect(advanced.getByRole('button', { name: 'Test Endpoint' })).toBeDisabled()
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Create' })).toBeVisible()
  })
  await test.step('methods and formats', async () => {
    // The palette of placeholders is a listbox too, inside the dialog; the open list stands outside.
    const options = page.getByRole('listbox').and(page.locator(':not([aria-label])')).getByRole('option')
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
    await field('Webhook Name').fill('Field CRM')
    await field('Endpoint URL').fill('not a url')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(field('Endpoint URL')).toHaveAccessibleDescription(/Enter a full URL/)
    await field('Endpoint URL').fill('http://127.0.0.1:4999/leads')
  })
  await test.step('invalid JSON in either text is not sent, by Create or by Test Endpoint', async () => {
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
  await test.step('a save that fails keeps the form', async () => {
    const failing = await failRequests(page, '**/api/v1/webhook-configs', ['POST'])
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(dialog.getByRole('button', { name: 'Saving...' })).toBeVisible()
    await expect(toast(page, 'Failed to save webhook configuration')).toBeVisible()
    await expect(field('Webhook Name')).toHaveValue('Field CRM')
    expect(failing.count()).toBe(2)
    await failing.end()
  })
  await test.step('an address that may not be used is refused with its reason', async () => {
    await field('Endpoint URL').fill('http://10.0.0.8/leads')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(toast(page, 'Failed to save webhook configuration')).toBeVisible()
    await expect(field('Endpoint URL')).toHaveAccessibleDescription(/private|internal|public/i)
    await field('Endpoint URL').fill('http://127.0.0.1:4999/leads')
  })
  await test.step('Create saves, says so and shows the row', async () => {
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(toast(page, 'Webhook created successfully')).toBeVisible()
    await expect(dialog).toHaveCount(0)
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
  await test.step('the form resets each time it opens', async () => {
    dialog = await openCreateDialog(page)
    await expect(field('Webhook Name')).toHaveValue('')
    await expect(field('Custom Headers')).toHaveValue('{}')
    await field('Webhook Name').fill('Never saved')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click()
    await expect(dialog).toHaveCount(0)
    dialog = await openCreateDialog(page)
    await expect(field('Webhook Name')).toHaveValue('')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
  })
  await test.step('Edit shows what was saved and updates it', async () => {
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
  await test.step('the form of another configuration shows that one', async () => {
    await client.addWebhook({ webhook_name: 'Second CRM', endpoint_url: 'http://127.0.0.1:4999/second' })
    await openConfigurations(page)
    for (const name of ['Field CRM, renamed', 'Second CRM']) {
      await chooseAction(page, name, 'Edit')
      await expect(field('Webhook Name')).toHaveValue(name)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect(dialog).toHaveCount(0)
    }
  })
})

test('Test Endpoint sends what stands in the form and shows the answer beside it', async ({ page }) => {
  const receiver = await startReceiver()
  await openConfigurations(page)
  const dialog = await openCreateDialog(page)
  const press = dialog.getByRole('button', { name: /^(Test Endpoint|Testing\.\.\.)$/ })
  const result = dialog.getByRole('status').filter({ hasText: /\S/ })
  await expect(press).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Endpoint URL' }).fill(`${receiver.url}/hook`)
  await expect(press).toBeEnabled()

  await test.step('Testing... while it works, then the message', async () => {
    await dialog.getByRole('textbox', { name: 'Custom Headers' }).fill('{"x-team": "sales"}')
    await dialog
      .getByRole('textbox', { name: 'Payload Template' })
      .fill('{"who": "{{name}}", "age": "{{age}}"}')
    const release = await holdRequests(page, '**/functions/v1/test-webhook-endpoint')
    const request = page.waitForRequest('**/functions/v1/test-webhook-endpoint')
    await press.click()
    await expect(press).toHaveText('Testing...')
    await expect(press).toBeDisabled()
    expect((await request).postDataJSON()).toEqual({
      endpoint_url: `${receiver.url}/hook`,
      http_method: 'POST',
      payload_type: 'JSON',
      custom_headers: { 'x-team': 'sales' },
      payload_template: { who: '{{name}}', age: '{{age}}' },
    })
    await release()
    await expect(result).toContainText('Your endpoint answered 200.')
    await expect(press).toHaveText('Test Endpoint')
    const [received] = await receiver.waitForCount(1)
    expect(received?.headers).toMatchObject({ 'x-team': 'sales', 'leadwire-event': 'test' })
    const rendered = await dialog.getByRole('region', { name: 'Rendered body' }).innerText()
    expect(JSON.parse(received?.body ?? '')).toEqual(JSON.parse(rendered))
  })
  await test.step('a failure, with its reason', async () => {
    receiver.answerWith({ status: 503, body: 'out of order' })
    await press.click()
    await expect(result).toContainText('503: your endpoint is not available right now.')
    await expect(result).toContainText('out of order')
  })
  await test.step('an unknown placeholder is named and sent empty', async () => {
    receiver.answerWith(200)
    await dialog.getByRole('textbox', { name: 'Payload Template' }).fill('{"who": "{{nmae}}"}')
    await expect(dialog.getByText(/is not a known placeholder and will be sent empty/)).toBeVisible()
    await press.click()
    await expect(dialog.getByText(/Unknown placeholders were sent empty: \{\{nmae\}\}/)).toBeVisible()
  })
  await test.step("without a message it is 'Test successful' or 'Test failed'", async () => {
    for (const [success, shown] of [
      [true, 'Test successful'],
      [false, 'Test failed'],
    ] as const) {
      await page.route('**/functions/v1/test-webhook-endpoint', (route) =>
        route.fulfill({
          json: {
            success,
            message: '',
            error: null,
            response_status: null,
            duration_ms: null,
            response_body: null,
          },
        }),
      )
      await press.click()
      await expect(dialog.getByText(shown, { exact: true })).toBeVisible()
      await page.unroute('**/functions/v1/test-webhook-endpoint')
    }
  })
  await test.step('a function that fails', async () => {
    await failRequests(page, '**/functions/v1/test-webhook-endpoint')
    await press.click()
    await expect(toast(page, 'Failed to test webhook endpoint')).toBeVisible()
    await expect(dialog.getByText('Test failed', { exact: true })).toBeVisible()
  })
  await receiver.close()
})

test('the preview renders the template beside it and mends unknown placeholders', async ({ page }) => {
  await openConfigurations(page)
  const dialog = await openCreateDialog(page)
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

test('the signing secret is revealed, copied and explained', async ({ page, client, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const id = await client.addWebhook({
    webhook_name: 'Signed CRM',
    endpoint_url: 'http://127.0.0.1:4999/signed',
  })
  const { secret } = await client.call<{ secret: string }>('GET', `/api/v1/webhook-configs/${id}/secret`)
  await openConfigurations(page)
  await chooseAction(page, 'Signed CRM', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Webhook Configuration' })
  await dialog.getByRole('button', { name: 'Signing secret' }).click()
  await expect(dialog.getByRole('button', { name: 'Reveal' })).toBeEnabled()
  await expect(dialog.getByText(secret)).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Copy secret' }).click()
  await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(secret)
  await dialog.getByRole('button', { name: 'Reveal' }).click()
  await expect(dialog.getByText(secret, { exact: true })).toBeVisible()
  for (const language of ['Node', 'Python', 'PHP', 'OpenSSL']) {
    await dialog.getByRole('tab', { name: language }).click()
    await expect(dialog.getByRole('region', { name: `${language} verification` })).toContainText(
      secret.slice(6),
    )
  }
  await dialog.getByRole('button', { name: 'Hide' }).click()
  await expect(dialog.getByText(secret, { exact: true })).toHaveCount(0)
})

test('the keyboard alone creates a webhook', async ({ page }) => {
  await page.goto('/client-integrations?view=configure')
  const focused = (name: string) => expect(page.locator(':focus')).toHaveAccessibleName(name)
  const tabTo = async (name: string) => {
    const named = ROLES.map((role) => page.getByRole(role, { name, exact: true }))
    const target = named.reduce((all, one) => all.or(one)).and(page.locator(':focus'))
    for (let presses = 0; presses < 40; presses += 1) {
      if ((await target.count()) > 0) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach ${name}`)
  }
  await expect(page.getByRole('button', { name: 'Create Your First Webhook' })).toBeVisible()
  await tabTo('Create Your First Webhook')
  await page.keyboard.press('Enter')
  await focused('Webhook Name')
  await page.keyboard.type('Typed CRM')
  await page.keyboard.press('Tab')
  await focused('Endpoint URL')
  await page.keyboard.type('http://127.0.0.1:4999/typed')
  await page.keyboard.press('Tab')
  await focused('HTTP Method')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'PUT' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'HTTP Method' })).toHaveText('PUT')
  await tabTo('Active')
  await page.keyboard.press('Space')
  await expect(page.getByRole('switch', { name: 'Active', exact: true })).not.toBeChecked()
  await tabTo('Insert a placeholder')
  await page.keyboard.type('county')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Payload Template' })).toHaveValue(/\{\{county\}\}/)
  await page.keyboard.press('Control+Z')
  await expect(page.getByRole('textbox', { name: 'Payload Template' })).not.toHaveValue(/\{\{county\}\}/)
  await tabTo('Create')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Webhook created successfully')).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: 'Typed CRM' })
  await expect(row).toContainText('PUT')
  await expect(row).toContainText('Inactive')
})
