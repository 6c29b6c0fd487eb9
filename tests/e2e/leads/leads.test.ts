import { expect, test, toast } from '#tests/support/browser/browser.ts'
import { signUpClient } from '#tests/support/browser/e2e-client.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

test('a lead is listed, filtered and opened with its timeline', async ({ page, client }) => {
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
  const columns = page.getByRole('button', { name: 'Columns' })
  await columns.click()
  await page.getByRole('menuitemcheckbox', { name: 'Type' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Journey' }).press('Enter')
  await page.keyboard.press('Escape')
  await expect(columns).toBeFocused()
  await page.reload()
  await expect(table.getByRole('columnheader')).toHaveText(
    'Name Phone State Type Received Price Status Disposition Delivery'.split(' '),
  )
  await columns.click()
  await page.getByRole('menuitemcheckbox', { name: 'Journey' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'Name, email or phone' }).fill('ROBIN')
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(page).toHaveURL(/search=ROBIN/)
  await table.getByRole('link', { name: 'Robin Sample' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Robin Sample' })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByText('robin@example.com').first()).toBeVisible()
  for (const station of ['Received: done', 'Assigned: done', 'Sent: done', 'Delivered: done'])
    await expect(main.getByRole('listitem').filter({ hasText: station })).toHaveCount(1)
  await expect(main.getByRole('link', { name: 'Call (512) 555-0143' })).toHaveAttribute(
    'href',
    'tel:+15125550143',
  )
  await expect(main.getByRole('link', { name: 'Email robin@example.com' })).toHaveAttribute(
    'href',
    'mailto:robin@example.com',
  )
  await expect(main.getByRole('table')).toHaveCount(0)
  for (const title of ['Ids', 'Consent', 'Delivery attempts'])
    await main.getByRole('button', { name: title, exact: true }).press('Enter')
  await expect(main.getByText('No consent was recorded with this lead.')).toBeVisible()
  await expect(main.getByRole('button', { name: 'Copy lead id' })).toBeVisible()
  const attempt = main.getByRole('table', { name: 'Delivery attempts' }).getByRole('row').nth(1)
  await expect(attempt).toContainText('Lead CRM')
  await expect(attempt).toContainText('lead.assigned')
  await expect(attempt).toContainText('Success')
  await main.getByRole('button', { name: 'Delivery attempts', exact: true }).press('Space')
  await expect(main.getByRole('table')).toHaveCount(0)
  await receiver.close()
})

test('a lead’s timeline names the fields that could not be kept, and its numbers keep their digits', async ({
  page,
  client,
}) => {
  const [id] = await client.receiveLeads([
    {
      name: 'Robin Sample',
      email: 'robin@example.com',
      state: 'TX',
      'Loan rate': JSON.rawJSON('7.10'),
      '???': 'x',
      ['very_long_'.repeat(10)]: 'x'.repeat(70_000),
    },
  ])
  await page.goto(`/leads/${id}`)
  const main = page.getByRole('main')
  await expect(main.getByText(/^Assigned to you: without “\?\?\?”, “very_long_/)).toBeVisible()
  await expect(main.getByText('7.10', { exact: true })).toBeVisible()
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
})

test('a lead that one of its webhooks refused shows this in the list and on its page', async ({
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
  // The source named the client, whose timeline still begins with the assignment.
  const steps = main.getByRole('listitem').filter({ hasText: /^(Received|Assigned to you)(?!:)/ })
  await expect(steps).toHaveText([/^Assigned to you/])
  const trouble = main.getByRole('list', { name: 'What went wrong' }).getByRole('listitem')
  await expect(trouble).toHaveText([/^Dialer 410: /])
  await trouble.getByRole('link', { name: 'Dialer: show the attempt' }).click()
  await expect(page.getByRole('dialog').getByRole('tab', { name: 'Response' })).toBeVisible()

  await page.goto('/leads')
  const row = page.getByRole('table', { name: 'Leads' }).getByRole('row').nth(1)
  await expect(row).toContainText('Partly failed')
  await expect(row.getByRole('img')).toHaveAccessibleName(/Partly delivered: failed$/)
  // At 1,280 pixels no column is cut off.
  const hidden = (region: { scrollWidth: number; clientWidth: number }) =>
    region.scrollWidth - region.clientWidth
  expect(await page.getByRole('region', { name: 'Leads' }).evaluate(hidden)).toBe(0)
  await receiver.close()
})

test("the page of another client's lead, or of an impossible id, says that the lead is not found", async ({
  page,
}) => {
  const other = await signUpClient()
  const [lead] = await other.receiveLeads([{ name: 'Private Sample', phone: '+15125550143', state: 'TX' }])
  for (const id of [lead, '00000000-0000-4000-8000-000000000000', 'not-an-id']) {
    await page.goto(`/leads/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lead not found')
    await expect(page.getByText('Private Sample')).toHaveCount(0)
  }
})

test('the list is sorted, narrowed, marked as read, paged from lead to lead, and downloaded (check 24)', async ({
  page,
  client,
}) => {
  await client.receiveLeads([
    { name: 'Bea Sample', phone: '+15125550143', state: 'TX' },
    { name: 'Ada Sample', phone: '+12125550143', state: 'NY' },
    { name: 'Cleo Sample', phone: '+13125550143', state: 'IL' },
  ])
  await page.goto('/leads')
  const table = page.getByRole('table', { name: 'Leads' })
  const names = table.getByRole('link', { name: /Sample/ })
  await expect(names).toHaveCount(3)
  await table.getByRole('button', { name: 'Name' }).click()
  await expect(names).toHaveText([/^Ada/, /^Bea/, /^Cleo/])
  await expect(page).toHaveURL(/sort=name/)
  await table.getByRole('combobox', { name: 'Disposition of Bea Sample' }).click()
  await page.getByRole('option', { name: 'Quoted' }).click()

  // Goes through the list in its sort order, and back to it.
  await names.first().click()
  const beside = page.getByRole('navigation', { name: 'Leads beside this one' })
  await expect(beside.getByRole('link')).toHaveText(['Next'])
  await beside.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bea Sample')
  await expect(page.getByRole('main').getByRole('combobox', { name: 'Disposition' })).toHaveText(/Quoted/)
  await expect(beside.getByRole('link')).toHaveText(['Previous', 'Next'])
  await page.getByRole('main').getByRole('link', { name: 'Leads', exact: true }).click()
  await expect(page).toHaveURL(/\/leads\?sort=name$/)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toBe('leads.csv')
  await page.getByRole('button', { name: 'Mark as read' }).click()
  await expect(page.getByRole('button', { name: 'Mark as read' })).toBeDisabled()
  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.getByRole('option', { name: 'Unread', exact: true }).click()
  await expect(page.getByText('No leads match these filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await page.getByRole('combobox', { name: 'Disposition', exact: true }).click()
  await page.getByRole('option', { name: 'Quoted' }).click()
  await expect(names).toHaveText([/^Bea/])

  // The address holds the view: it works in another tab and with Back.
  const view = page.url()
  await names.first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bea Sample')
  await page.goBack()
  await expect(names).toHaveText([/^Bea/])
  expect(page.url()).toBe(view)
  await page.goto(view)
  await expect(names).toHaveText([/^Bea/])
})

test('typed notes are saved when the user leaves the lead, and the browser asks before the page closes', async ({
  page,
  client,
}) => {
  const [id] = await client.receiveLeads([
    { name: 'Robin Sample', email: 'robin@example.com', state: 'TX' },
    { name: 'Sandy Sample', email: 'sandy@example.com', state: 'TX' },
  ])
  await page.goto(`/leads/${id}`)
  await page.getByRole('textbox', { name: 'Notes' }).fill('Call again on Monday')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click()
  await expect(toast(page, 'Notes saved')).toBeVisible()
  await page.getByRole('link', { name: /Sandy Sample/ }).click()
  await expect(page.getByRole('textbox', { name: 'Notes' })).toHaveValue('')
  await page.goBack()
  await page.getByRole('link', { name: /Robin Sample/ }).click()
  await expect(page.getByRole('textbox', { name: 'Notes' })).toHaveValue('Call again on Monday')
  await page.getByRole('textbox', { name: 'Notes' }).fill('Bought')
  const asked = page.waitForEvent('dialog')
  const reloaded = page.reload()
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.accept()
  await reloaded
  await expect(page.getByRole('textbox', { name: 'Notes' })).toHaveValue('Call again on Monday')
})
