import { dismissToasts, expect, failRequests, holdRequests, test, toast } from '#tests/support/browser.ts'
import { signUpClient } from '#tests/support/e2e-client.ts'
import { openConfigurations } from '#tests/support/integrations-page.ts'
import { startReceiver } from '#tests/support/receiver.ts'

test('the page has its two tabs and the overview of webhooks', async ({ page }) => {
  await page.goto('/client-integrations')
  const main = page.getByRole('main')

  await test.step('title and tabs, Webhooks first and chosen', async () => {
    await expect(main.getByRole('heading', { level: 1 })).toHaveText('Integrations')
    await expect(main.getByRole('tab')).toHaveText(['Webhooks', 'API Access'])
    await expect(main.getByRole('tab', { name: 'Webhooks' })).toHaveAttribute('aria-selected', 'true')
  })
  await test.step('three feature cards', async () => {
    const cards = main.getByRole('list').first().getByRole('listitem')
    await expect(cards).toHaveCount(3)
    await expect(cards.getByRole('heading')).toHaveText([
      'Real-time delivery',
      'Secure and reliable',
      'Easy setup',
    ])
    await expect(cards.nth(1)).toContainText('automatic retries')
  })
  await test.step('popular integrations by category, for display only', async () => {
    const popular = main.getByRole('region', { name: 'Popular integrations' })
    await expect(popular.getByRole('heading', { level: 3 })).toHaveText([
      'CRM',
      'Marketing',
      'Automation',
      'Custom',
    ])
    await expect(popular.getByRole('list')).toHaveCount(4)
    await expect(popular.getByRole('link').or(popular.getByRole('button'))).toHaveCount(0)
  })
  await test.step('API Access is coming soon and points to webhooks', async () => {
    await main.getByRole('tab', { name: 'API Access' }).click()
    await expect(main.getByText('API documentation and access keys are Coming Soon')).toBeVisible()
    await expect(main.getByText(/Meanwhile, please use webhooks/)).toBeVisible()
  })
  await test.step('the calendar exists, and no tab button leads to it', async () => {
    await page.goto('/client-integrations?tab=calendar')
    await expect(main.getByRole('tabpanel')).toContainText('Coming Soon')
    await expect(main.getByRole('tab')).toHaveCount(2)
  })
  await test.step('Configure Webhooks and Back to Overview', async () => {
    await main.getByRole('tab', { name: 'Webhooks' }).click()
    await main.getByRole('button', { name: 'Configure Webhooks' }).click()
    await expect(main.getByRole('button', { name: 'Add Webhook' })).toBeVisible()
    await main.getByRole('button', { name: 'Back to Overview' }).click()
    await expect(main.getByRole('button', { name: 'Configure Webhooks' })).toBeVisible()
  })
})

test('Run Assignment Test works through its calls and says how it went', async ({ page, client }) => {
  await page.goto('/client-integrations')
  const button = page.getByRole('button', { name: /^(Run Assignment Test|Running\.\.\.)$/ })

  await test.step('Running... while it works, then the toast of the specification', async () => {
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') calls.push(`${request.method()} ${new URL(request.url()).pathname}`)
    })
    const inserted = page.waitForRequest((request) => request.url().endsWith('/api/v1/leads'))
    const release = await holdRequests(page, '**/api/v1/leads')
    await button.click()
    await expect(button).toHaveText('Running...')
    const sent = (await inserted).postDataJSON() as Record<string, unknown>
    expect(sent).toMatchObject({
      lead_type: 'final_expense',
      state: 'CA',
      source: 'manual_assignment_test',
      deal_size: 0,
      status: 'new',
      user_id: client.id,
    })
    await release()
    await expect(
      toast(page, 'Test lead created and assignment triggered... Check Leads and Webhook Logs.'),
    ).toBeVisible()
    await expect(button).toHaveText('Run Assignment Test')
    expect(calls).toEqual([
      'POST /api/v1/leads',
      'POST /api/v1/rpc/assign_lead_to_buyer_concurrent',
      'POST /functions/v1/webhook-delivery',
    ])
  })
  await test.step('the lead is assigned to the client', async () => {
    const { data } = await client.call<{ data: Record<string, unknown>[] }>('GET', '/api/v1/leads')
    expect(data).toEqual([expect.objectContaining({ status: 'assigned', is_test: true, state: 'CA' })])
  })
  await test.step('a failed procedure is answered by direct assignment, a failed delivery call by nothing', async () => {
    const rpc = await failRequests(page, '**/api/v1/rpc/*')
    const delivery = await failRequests(page, '**/functions/v1/webhook-delivery')
    await dismissToasts(page)
    await button.click()
    await expect(
      toast(page, 'Test lead created and assignment triggered... Check Leads and Webhook Logs.'),
    ).toBeVisible()
    expect(rpc.count()).toBeGreaterThan(0)
    expect(delivery.count()).toBeGreaterThan(0)
    const { data } = await client.call<{ data: { status: string }[] }>('GET', '/api/v1/leads')
    expect(data.map(({ status }) => status)).toEqual(['assigned', 'assigned'])
    await rpc.end()
    await delivery.end()
  })
  await test.step('a lead that cannot be inserted fails the test', async () => {
    const failing = await failRequests(page, '**/api/v1/leads', ['POST'])
    await button.click()
    await expect(toast(page, 'Test failed. Please try again or check logs.')).toBeVisible()
    // SPEC.md §7: mutations retry once.
    expect(failing.count()).toBe(2)
  })
})

test('the configuration list shows a spinner, its empty state, its columns and its own rows only', async ({
  page,
  client,
  browser,
  baseURL,
}) => {
  const main = page.getByRole('main')
  await test.step('a spinner while loading, then the empty state', async () => {
    const release = await holdRequests(page, '**/api/v1/webhook-configs?*')
    await openConfigurations(page)
    await expect(main.getByRole('status')).toHaveText('Loading webhooks')
    await release()
    await expect(main.getByText('No webhooks configured', { exact: true })).toBeVisible()
    await main.getByRole('button', { name: 'Create Your First Webhook' }).click()
    await expect(page.getByRole('dialog', { name: 'Create Webhook Configuration' })).toBeVisible()
  })
  await test.step('columns and values, newest first', async () => {
    await client.addWebhook({
      webhook_name: 'Older',
      endpoint_url: 'http://127.0.0.1:4999/older',
      request_method: 'PUT',
      payload_type: 'FORM',
      is_active: false,
    })
    await client.addWebhook({ webhook_name: 'Newer', endpoint_url: 'http://127.0.0.1:4999/newer' })
    await openConfigurations(page)
    const rows = main.getByRole('table', { name: 'Webhook configurations' }).getByRole('row')
    await expect(rows).toHaveCount(3)
    await expect(rows.nth(0).getByRole('columnheader')).toHaveText([
      'Webhook Name',
      'Endpoint',
      'Method',
      'Status',
      'Format',
      'Created date',
      'Actions',
    ])
    const cells = (row: number) => rows.nth(row).getByRole('cell')
    await expect(cells(1)).toHaveText([
      'Newer',
      'http://127.0.0.1:4999/newer',
      'POST',
      'Active',
      'JSON',
      /just now/,
      '',
    ])
    await expect(cells(2)).toHaveText([
      'Older',
      'http://127.0.0.1:4999/older',
      'PUT',
      'Inactive',
      'FORM',
      /just now/,
      '',
    ])
  })
  await test.step('the row menu', async () => {
    const items = page.getByRole('menuitem')
    await page.getByRole('button', { name: 'Actions for Newer' }).click()
    await expect(items).toHaveText(['Edit', 'Test Endpoint', 'Deactivate', 'View Logs', 'Delete'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for Older' }).click()
    await expect(items.nth(2)).toHaveText('Activate')
  })
  await test.step('another client sees none of it, and cannot reach it by its id', async () => {
    const other = await signUpClient()
    const { data } = await client.call<{ data: { id: string }[] }>('GET', '/api/v1/webhook-configs')
    const context = await browser.newContext({
      ...(baseURL === undefined ? {} : { baseURL }),
      storageState: {
        cookies: [],
        origins: [{ origin: baseURL ?? '', localStorage: [{ name: 'leadwire.auth', value: other.session }] }],
      },
    })
    const theirs = await context.newPage()
    await theirs.goto(`/client-integrations?view=configure&logs=${data[0]?.id ?? ''}`)
    await expect(theirs.getByText('No webhooks configured', { exact: true })).toBeVisible()
    await expect(theirs.getByRole('dialog')).toHaveCount(0)
    await context.close()
  })
})

test('the row menu tests, switches and deletes, and says how each went', async ({ page, client }) => {
  const receiver = await startReceiver()
  await client.addWebhook({ webhook_name: 'Row CRM', endpoint_url: `${receiver.url}/leads` })
  await openConfigurations(page)
  const row = page.getByRole('row').filter({ hasText: 'Row CRM' })
  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'Actions for Row CRM' }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }

  await test.step('Test Endpoint sends the saved configuration', async () => {
    const request = page.waitForRequest('**/functions/v1/test-webhook-endpoint')
    await choose('Test Endpoint')
    expect(Object.keys((await request).postDataJSON() as object)).toEqual(['webhookId'])
    await expect(toast(page, 'Test webhook sent successfully!')).toBeVisible()
    const [received] = await receiver.waitForCount(1)
    expect(received?.headers['leadwire-event']).toBe('test')
  })
  await test.step('an endpoint that fails', async () => {
    receiver.answerWith(404)
    await choose('Test Endpoint')
    await expect(
      page.getByText('Test failed: 404: nothing answers at this address. Check Endpoint URL.', {
        exact: true,
      }),
    ).toBeVisible()
  })
  await test.step('an answer without an error', async () => {
    await page.route('**/functions/v1/test-webhook-endpoint', (route) =>
      route.fulfill({
        json: {
          success: false,
          message: '',
          error: null,
          response_status: null,
          duration_ms: null,
          response_body: null,
        },
      }),
    )
    await choose('Test Endpoint')
    await expect(toast(page, 'Test failed: Unknown error')).toBeVisible()
    await page.unroute('**/functions/v1/test-webhook-endpoint')
  })
  await test.step('a test function that fails', async () => {
    const failing = await failRequests(page, '**/functions/v1/test-webhook-endpoint')
    await choose('Test Endpoint')
    await expect(toast(page, 'Failed to test webhook endpoint')).toBeVisible()
    await failing.end()
  })
  await test.step('Deactivate and Activate send only is_active', async () => {
    const request = page.waitForRequest((sent) => sent.method() === 'PATCH')
    await choose('Deactivate')
    expect((await request).postDataJSON()).toEqual({ is_active: false })
    await expect(toast(page, 'Webhook status updated successfully')).toBeVisible()
    await expect(row.getByText('Inactive', { exact: true })).toBeVisible()
    const failing = await failRequests(page, '**/api/v1/webhook-configs/*', ['PATCH'])
    await choose('Activate')
    await expect(toast(page, 'Failed to update webhook status')).toBeVisible()
    await expect(row.getByText('Inactive', { exact: true })).toBeVisible()
    await failing.end()
    await choose('Activate')
    await expect(row.getByText('Active', { exact: true })).toBeVisible()
  })
  await test.step('Delete asks first', async () => {
    await choose('Delete')
    const question = page.getByRole('alertdialog')
    await expect(
      question.getByText('Are you sure you want to delete "Row CRM"?', { exact: true }),
    ).toBeVisible()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(row).toHaveCount(1)
    const failing = await failRequests(page, '**/api/v1/webhook-configs/*', ['DELETE'])
    await choose('Delete')
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(toast(page, 'Failed to delete webhook configuration')).toBeVisible()
    await expect(row).toHaveCount(1)
    await failing.end()
    await choose('Delete')
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(toast(page, 'Webhook configuration deleted successfully')).toBeVisible()
    await expect(page.getByText('No webhooks configured', { exact: true })).toBeVisible()
  })
  await receiver.close()
})
