import { expectSound } from '#tests/support/browser/accessibility.ts'
import { expect, failRequests, holdRequests, signedIn, test, toast } from '#tests/support/browser/browser.ts'
import { signUpClient } from '#tests/support/browser/e2e-client.ts'
import { readEnvironment } from '#tests/support/browser/e2e-environment.ts'
import { chooseAction, openConfigurations, openLogs } from '#tests/support/browser/integrations-page.ts'

const ABSENT = 'These delivery logs cannot be shown'

test('the list of configurations shows a spinner, its empty state, its columns and only its own rows', async ({
  page,
  client,
  browser,
}) => {
  const main = page.getByRole('main')
  await test.step('the list shows a spinner while loading, then the empty state (check 7)', async () => {
    const release = await holdRequests(page, '**/api/v1/webhook-configs?*')
    await openConfigurations(page)
    await expect(main.getByRole('status')).toHaveText('Loading webhooks')
    await release()
    await expect(main.getByText('No webhooks configured', { exact: true })).toBeVisible()
    await main.getByRole('button', { name: 'Create Your First Webhook' }).click()
    await expect(page.getByRole('dialog', { name: 'Create Webhook Configuration' })).toBeVisible()
  })
  await test.step('the list shows its columns and values, newest first', async () => {
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
      /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/,
      '',
    ])
    await expect(cells(2)).toHaveText([
      'Older',
      'http://127.0.0.1:4999/older',
      'PUT',
      'Inactive',
      'FORM',
      /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/,
      '',
    ])
  })
  await test.step('each row has a menu', async () => {
    const items = page.getByRole('menuitem')
    await page.getByRole('button', { name: 'Actions for Newer' }).click()
    await expect(items).toHaveText([
      'Edit',
      'Test Endpoint',
      'Deactivate',
      'View Logs',
      'Certify endpoint',
      'Delete',
    ])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for Older' }).click()
    await expect(items.nth(2)).toHaveText('Activate')
  })
  await test.step('another client does not see the webhook, and cannot reach it by its id', async () => {
    const other = await signUpClient()
    const { data } = await client.call<{ data: { id: string }[] }>('GET', '/api/v1/webhook-configs')
    const context = await browser.newContext({
      baseURL: readEnvironment().server,
      storageState: signedIn(other),
    })
    const theirs = await context.newPage()
    await theirs.goto(`/client-integrations?view=configure&logs=${data[0]?.id ?? ''}`)
    await expect(theirs.getByText('No webhooks configured', { exact: true })).toBeVisible()
    await expect(theirs.getByRole('dialog')).toHaveCount(0)
    await expect(theirs.getByText(ABSENT)).toBeVisible()
    await context.close()
  })
})

test('a link to the logs of a deleted webhook says why nothing opens', async ({ page, client }) => {
  const id = await client.addWebhook({
    webhook_name: 'Field CRM',
    endpoint_url: 'https://crm.example.com/leads',
  })
  const link = `/client-integrations?view=configure&logs=${id}`
  await page.goto(link)
  await expect(page.getByRole('dialog', { name: 'Delivery Logs' })).toBeVisible()
  await expect(page.getByText(ABSENT)).toHaveCount(0)
  await client.call('DELETE', `/api/v1/webhook-configs/${id}`)
  await page.goto(link)
  await expect(page.getByText(ABSENT)).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText(ABSENT)).toHaveCount(0)
  await expect(page).toHaveURL(/\?view=configure$/)
})

test('the logs of a webhook that another user deletes close and say why', async ({ page, client }) => {
  const id = await client.addWebhook({
    webhook_name: 'Field CRM',
    endpoint_url: 'https://crm.example.com/leads',
  })
  await openConfigurations(page)
  const logs = await openLogs(page, 'Field CRM')
  await expect(logs.getByText('No delivery logs found')).toBeVisible()
  await client.call('DELETE', `/api/v1/webhook-configs/${id}`)
  await expect(page.getByText(ABSENT)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('No webhooks configured', { exact: true })).toBeVisible()
})

test('the list keeps its last content if it cannot be loaded again', async ({ page, client }) => {
  await client.addWebhook({ webhook_name: 'Field CRM', endpoint_url: 'https://crm.example.com/leads' })
  await openConfigurations(page)
  const row = page.getByRole('row', { name: /Field CRM/ })
  await expect(row).toContainText('Active')
  const list = await failRequests(page, '**/api/v1/webhook-configs?*', ['GET'])
  await chooseAction(page, 'Field CRM', 'Deactivate')
  // The first request and three retries.
  await expect.poll(list.count, { timeout: 30_000 }).toBe(4)
  await list.end()
  await chooseAction(page, 'Field CRM', 'Activate')
  await expect(row).toContainText('Active')
})

test('a webhook that misses the leads its client buys says so in its row and its dialog, and one press mends it', async ({
  page,
  client,
}) => {
  const url = 'http://127.0.0.1:4999/received'
  const id = await client.addWebhook({
    webhook_name: 'Only received',
    endpoint_url: url,
    trigger_on_lead_created: true,
    trigger_on_lead_assigned: false,
  })
  const misses = 'The leads that you buy are not sent here'
  await openConfigurations(page)
  await expect(page.getByText(url)).toBeVisible()
  // A client without an order buys nothing.
  await expect(page.getByText(misses)).toHaveCount(0)
  await client.call('POST', '/api/v1/orders', {
    name: 'Texas',
    lead_type: 'final_expense',
    timezone: 'America/Chicago',
    active: true,
  })
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: url })
  await expect(row).toContainText(misses)
  await expectSound(page, 'a webhook that misses bought leads')

  await chooseAction(page, 'Only received', 'Edit')
  const dialog = page.getByRole('dialog')
  const assigned = dialog.getByRole('switch', { name: 'Trigger when lead is assigned' })
  await expect(dialog.getByRole('status').filter({ hasText: misses })).toBeVisible()
  await dialog.getByRole('button', { name: 'Send them here' }).click()
  await expect(assigned).toBeChecked()
  await expect(dialog.getByText(misses)).toHaveCount(0)
  // The switch is back where it was, so Cancel asks nothing.
  await assigned.click()
  await expect(dialog.getByText(misses)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await row.getByRole('button', { name: 'Send them here too: Only received' }).click()
  await expect(toast(page, 'Webhook updated successfully')).toBeVisible()
  await expect(row).not.toContainText(misses)
  const config = await client.call<object>('GET', `/api/v1/webhook-configs/${id}`)
  expect(config).toMatchObject({ trigger_on_lead_created: true, trigger_on_lead_assigned: true })
})
