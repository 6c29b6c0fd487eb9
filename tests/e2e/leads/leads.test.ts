import { expect, test } from '#tests/support/browser/browser.ts'
import { signUpClient } from '#tests/support/browser/e2e-client.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

test('a lead is listed, filtered and opened with its journey', async ({ page, client }) => {
  const receiver = await startReceiver()
  await client.addWebhook({ webhook_name: 'Lead CRM', endpoint_url: receiver.url })
  await page.goto('/leads')
  await expect(page.getByText('No leads yet')).toBeVisible()
  await client.receiveLeads([
    { name: 'Robin Sample', email: 'robin@example.com', phone: '+15125550143', state: 'TX', city: 'Austin' },
    { name: 'עברית "quoted" 👩🏽‍🌾', email: 'emoji@example.com', state: 'CA' },
  ])
  await receiver.waitForCount(2)
  await page.reload()
  const table = page.getByRole('table', { name: 'Leads' })
  await expect(table.getByRole('row')).toHaveCount(3)
  await expect(table.getByRole('link', { name: 'עברית "quoted" 👩🏽‍🌾 (unread)' })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Name, email or phone' }).fill('ROBIN')
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(page).toHaveURL(/search=ROBIN/)
  await table.getByRole('link', { name: 'Robin Sample' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Robin Sample' })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByText('robin@example.com').first()).toBeVisible()
  for (const station of ['Received: done', 'Assigned: done', 'Sent: done', 'Delivered: done'])
    await expect(main.getByRole('listitem').filter({ hasText: station })).toHaveCount(1)
  const attempt = main.getByRole('table', { name: 'Delivery attempts' }).getByRole('row').nth(1)
  await expect(attempt).toContainText('Lead CRM')
  await expect(attempt).toContainText('lead.assigned')
  await expect(attempt).toContainText('Success')
  await receiver.close()
})

test('a lead that one of its webhooks refused says so in the list and on its page', async ({
  page,
  client,
}) => {
  const receiver = await startReceiver(({ path }) => (path === '/refuses' ? 410 : 200))
  await client.addWebhook({ webhook_name: 'Dialer', endpoint_url: `${receiver.url}/refuses` })
  await client.addWebhook({ webhook_name: 'Lead CRM', endpoint_url: receiver.url })
  const [id] = await client.receiveLeads([
    { name: 'Robin Sample', phone: '+15125550143', state: 'TX', email: 'robin@example.com' },
  ])
  await receiver.waitForCount(2)
  await page.goto(`/leads/${id}`)

  const main = page.getByRole('main')
  const end = main.getByRole('listitem').filter({ hasText: 'Partly delivered: failed' })
  await expect(end).toContainText('1 delivered, 1 failed')
  // Received and assigned at one moment: the newest, which the other led to, is above.
  const steps = main.getByRole('listitem').filter({ hasText: /^(Received|Assigned to you)(?!:)/ })
  await expect(steps).toHaveText([/^Assigned to you/, /^Received/])

  await page.goto('/leads')
  const row = page.getByRole('table', { name: 'Leads' }).getByRole('row').nth(1)
  await expect(row).toContainText('Partly failed')
  await expect(row.getByRole('img')).toHaveAccessibleName(/Partly delivered: failed$/)
  await receiver.close()
})

test("another client's lead is not found, nor is an id that none could have", async ({ page }) => {
  const other = await signUpClient()
  const [lead] = await other.receiveLeads([{ name: 'Private Sample', phone: '+15125550143', state: 'TX' }])
  for (const id of [lead, '00000000-0000-4000-8000-000000000000', 'not-an-id']) {
    await page.goto(`/leads/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lead not found')
    await expect(page.getByText('Private Sample')).toHaveCount(0)
  }
})
