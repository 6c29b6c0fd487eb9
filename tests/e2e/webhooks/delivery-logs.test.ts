import type { Locator } from '@playwright/test'
import { expect, failRequests, holdRequests, test } from '#tests/support/browser/browser.ts'
import { runSql } from '#tests/support/browser/e2e-client.ts'
import { openConfigurations, openLogs } from '#tests/support/browser/integrations-page.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

const COLUMNS = ['Lead', 'Status', 'Response code', 'Attempt', 'Duration', 'Timestamp', 'Error', 'Actions']

test('the dialog shows the summary, the empty state, and then every attempt', async ({ page, client }) => {
  const receiver = await startReceiver()
  const configId = await client.addWebhook({
    webhook_name: 'Log CRM',
    endpoint_url: `${receiver.url}/leads?list=7&api_key=not-for-lists`,
    request_method: 'PUT',
  })
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/delivery-logs')) asked.push(new URL(request.url()).search)
  })
  await openConfigurations(page)
  await expect(page.getByRole('row').filter({ hasText: 'Log CRM' })).toHaveCount(1)
  const release = await holdRequests(page, '**/delivery-logs?*')
  // Loaded only while the dialog is open (docs/product.md §7).
  expect(asked).toEqual([])
  const logs = await openLogs(page, 'Log CRM')
  const summary = (term: string) =>
    logs.getByRole('definition').and(logs.locator(`dt:text-is("${term}") + dd`))

  await test.step('the dialog has a summary', async () => {
    await expect(logs.getByRole('status', { name: 'Loading delivery logs' })).toBeVisible()
    await release()
    await expect(summary('Endpoint')).toHaveText(`${receiver.url}/leads?list=7&api_key=••••`)
    await expect(summary('Method')).toHaveText('PUT')
    await expect(summary('Status')).toHaveText('Active')
    await expect(summary('Total logs')).toHaveText('0')
    expect(asked[0]).toBe('?limit=50')
  })
  await test.step('without attempts the dialog has an empty state', async () => {
    await expect(logs.getByText('No delivery logs found', { exact: true })).toBeVisible()
    await expect(logs.getByRole('button', { name: 'Resend failed since…' })).toHaveAttribute(
      'aria-description',
      'Nothing has failed here, so there is nothing to resend.',
    )
    await expect(
      logs.getByText('Logs will appear here when webhooks are delivered to your endpoint.', { exact: true }),
    ).toBeVisible()
  })
  await test.step('a delivery appears with every column while the dialog is open', async () => {
    await client.receiveLeads([
      { name: 'Robin Sample', email: 'robin@example.com', phone: '+15125550143', state: 'TX' },
    ])
    const rows = logs.getByRole('table', { name: 'Delivery logs' }).getByRole('row')
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(0).getByRole('columnheader')).toHaveText(COLUMNS)
    const cells = rows.nth(1).getByRole('cell')
    await expect(cells).toHaveText([
      /^Robin Sample.*robin@example\.com$/s,
      'Success',
      '200',
      '1',
      /^\d+ ms$/,
      /^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}:\d{2} [AP]M \S+$/,
      'None',
      '',
    ])
    await expect(summary('Total logs')).toHaveText('1')
  })
  await test.step('an attempt opens completely, response first, and Back returns to the list', async () => {
    await logs.getByRole('button', { name: /Robin Sample.*show this attempt/ }).click()
    await expect(logs.getByRole('tab')).toHaveText(['Response', 'Request', 'Headers', 'Timing'])
    await expect(logs.getByText('The endpoint answered 200 with an empty body.')).toBeVisible()
    await logs.getByRole('tab', { name: 'Request' }).click()
    await expect(logs.getByRole('region', { name: 'Request body' })).toContainText('"name": "Robin Sample"')
    await logs.getByRole('tab', { name: 'Headers' }).click()
    await expect(logs.getByText('webhook-signature', { exact: true })).toBeVisible()
    await logs.getByRole('tab', { name: 'Timing' }).click()
    await expect(logs.getByText('127.0.0.1', { exact: true })).toBeVisible()
    await logs.getByRole('button', { name: 'Back to logs' }).click()
    await expect(logs.getByRole('table')).toBeVisible()
  })
  await test.step('an endpoint that never answers shows Failed with the reason and without a code', async () => {
    receiver.answerWith('reset')
    await client.receiveLeads([{ name: 'No Body', email: 'nobody@example.com', state: 'TX' }])
    // A new lead must have a name, but a redacted one has none.
    await runSql('update leads set name = null where email = $1 and user_id = $2', [
      'nobody@example.com',
      client.id,
    ])
    const cells = logs.getByRole('row').filter({ hasText: 'nobody@example.com' }).last().getByRole('cell')
    await expect(cells.nth(0)).toContainText('Unknown')
    await expect(cells.nth(1)).toContainText('Failed')
    await expect(cells.nth(2)).toHaveText('N/A')
    await expect(cells.nth(6)).not.toHaveText('None')
  })
  await test.step('an answer of 410 switches the webhook off, and the summary says Inactive', async () => {
    // Only for this lead: a 410 at a retry of the previous one would switch the webhook off before this one
    // is sent.
    receiver.answerWith(({ body }) => (body.includes('Gone Sample') ? 410 : 'reset'))
    await client.receiveLeads([{ name: 'Gone Sample', phone: '+15125550145', state: 'TX' }])
    const cells = logs.getByRole('row').filter({ hasText: 'Gone Sample' }).getByRole('cell')
    await expect(cells.nth(0)).toContainText('+15125550145')
    await expect(cells.nth(1)).toHaveText('Failed')
    await expect(cells.nth(2)).toHaveText('410')
    await expect(summary('Status')).toHaveText('Inactive')
    await logs.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('row').filter({ hasText: 'Log CRM' })).toContainText(/Switched off: 410/)
    await openLogs(page, 'Log CRM')
  })
  await test.step('logs that cannot be refreshed say so and keep their content', async () => {
    await failRequests(page, '**/delivery-logs?*')
    await client.receiveLeads([{ name: 'Robin Unseen', email: 'unseen@example.com', state: 'TX' }])
    await expect(logs.getByText('The logs could not be refreshed.')).toBeVisible({ timeout: 20_000 })
    await expect(logs.getByRole('table')).toBeVisible()
  })
  await receiver.close()
  expect(configId).toMatch(/^[0-9a-f-]{36}$/)
})

test('statuses have the words of the specification (check 12)', async ({ page, client }) => {
  const receiver = await startReceiver()
  const configId = await client.addWebhook({ webhook_name: 'Status CRM', endpoint_url: receiver.url })
  const statuses = ['delivered', 'failed', 'pending', 'quarantined', 'sending', 'odd']
  await client.receiveLeads(
    statuses.map((status, index) => ({ name: `As ${status}`, phone: `+1512555016${index}`, state: 'TX' })),
  )
  await receiver.waitForCount(statuses.length)
  await openConfigurations(page)
  const logs = await openLogs(page, 'Status CRM')
  await expect(logs.getByText('Success', { exact: true })).toHaveCount(statuses.length)
  await receiver.close()
  // Rows as another writer may leave them; the worker writes only the first three.
  const rewrite = (name: string, status: string, code: number | null) =>
    runSql(
      `update webhook_delivery_logs set delivery_status = $3, response_status = $4
       where webhook_config_id = $1 and lead_id = (select id from leads where name = $2 and user_id = $5)`,
      [configId, name, status, code, client.id],
    )
  await rewrite('As delivered', 'delivered', null)
  await rewrite('As failed', 'failed', null)
  await rewrite('As pending', 'pending', null)
  await rewrite('As quarantined', 'quarantined', null)
  await rewrite('As sending', 'sending', 204)
  await rewrite('As odd', 'odd', 400)
  await test.step('without email and phone the lead’s id shows below the name', async () => {
    const [id] = await client
      .call<{ data: { id: string }[] }>('GET', '/api/v1/leads?search=quarantined')
      .then(({ data }) => data.map((lead) => lead.id))
    await runSql('update leads set email = null, phone = null where id = $1', [id])
    await expect(logs.getByRole('row').filter({ hasText: 'As quarantined' })).toContainText(id ?? 'no id')
  })
  const status = (name: string): Locator =>
    logs.getByRole('row').filter({ hasText: name }).getByRole('cell').nth(1)
  await expect(status('As delivered')).toHaveText('Success')
  await expect(status('As failed')).toHaveText('Failed')
  await expect(status('As pending')).toHaveText('Pending')
  await expect(status('As quarantined')).toHaveText('quarantined')
  await expect(status('As sending')).toHaveText('Success')
  await expect(status('As odd')).toHaveText('Failed')
})

test('the dialog shows the newest fifty attempts (check 12)', async ({ page, client }) => {
  const receiver = await startReceiver()
  await client.addWebhook({ webhook_name: 'Busy CRM', endpoint_url: receiver.url })
  const leads = Array.from({ length: 55 }, (_, index) => ({
    name: `Lead ${String(index).padStart(2, '0')}`,
    email: `lead.${index}@example.com`,
    state: 'TX',
  }))
  await client.receiveLeads(leads.slice(0, 5))
  await receiver.waitForCount(5)
  // Larger batches run at low priority, so a big import beside this test would delay them.
  await client.receiveLeads(leads.slice(5, 30))
  await client.receiveLeads(leads.slice(30))
  await receiver.waitForCount(55)
  await openConfigurations(page)
  const logs = await openLogs(page, 'Busy CRM')
  await expect(logs.getByRole('row')).toHaveCount(51)
  await expect(logs.getByText('The newest 50 attempts are shown.')).toBeVisible()
  await expect(logs.getByText('55', { exact: true })).toBeVisible()
  for (const { name } of leads.slice(0, 5))
    await expect(logs.getByText(name, { exact: false })).toHaveCount(0)

  await logs.getByRole('button', { name: 'Load 50 more' }).click()
  await expect(logs.getByRole('row')).toHaveCount(56)
  await expect(logs.getByText('55 attempts, that is all.')).toBeVisible()
  await expect(logs.getByText('Paused', { exact: true })).toBeVisible()
  await client.receiveLeads([{ name: 'Newest Of All', phone: '+15125550146', state: 'TX' }])
  await receiver.waitForCount(56)
  await logs.getByRole('button', { name: 'Show newest' }).click()
  await expect(logs.getByRole('row').nth(1)).toContainText('Newest Of All')
  await expect(logs.getByText('Live', { exact: true })).toBeVisible()
  await receiver.close()
})
