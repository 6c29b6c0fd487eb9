import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { findFaults } from '#scripts/look/find-faults.ts'
import { expectSound } from '#tests/support/browser/accessibility.ts'
import { expect, test } from '#tests/support/browser/browser.ts'
import { runSql } from '#tests/support/browser/e2e-client.ts'

/** Inserts the delivery of a lead to a webhook with its final state. */
const DELIVERY = `
  insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, failure_class,
    next_attempt_at, created_at, finished_at)
  select id, type, $1::uuid, client_user_id, lead_id, $3, 1, case $3 when 'failed' then 'http_5xx' end, null, created_at,
    created_at + interval '2 seconds' from events where lead_id = $2 and type = 'lead.assigned'`

async function takeFile(page: Page, button: string): Promise<string[]> {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const text = await readFile(await (await saving).path(), 'utf8')
  return text.replace('\uFEFF', '').split('\r\n')
}

test('a client with many endpoints sees how each performed, keeps the view in the address, and opens the waiting deliveries', async ({
  page,
  client,
}) => {
  await page.goto('/enterprise-dashboard')
  await expect(page.getByText('No endpoints yet')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create a webhook' })).toBeVisible()

  // Deliveries are inserted below; these webhooks receive none by themselves.
  const webhook = { endpoint_url: 'https://crm.example.com/leads', trigger_on_lead_assigned: false }
  const agency = await client.addWebhook({ ...webhook, webhook_name: 'Agency' })
  const branch = await client.addWebhook({ ...webhook, webhook_name: 'Branch' })
  const [robin, jamie, kim] = await client.receiveLeads([
    { name: 'Robin Sample', email: 'robin@example.com', state: 'TX' },
    { name: 'Jamie Sample', email: 'jamie@example.com', state: 'TX' },
    { name: 'Kim Sample', email: 'kim@example.com', state: 'CA' },
  ])
  await runSql('update leads set price_charged = 25 where assigned_to = $1', [client.id])
  for (const [hook, lead, state] of [
    [agency, robin, 'delivered'],
    [agency, jamie, 'delivered'],
    [agency, kim, 'failed'],
    [branch, robin, 'delivered'],
  ])
    await runSql(DELIVERY, [hook, lead, state])
  await page.reload()

  const figure = (label: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: label, exact: true }) })
  await expect(figure('Leads received')).toContainText('3')
  await expect(figure('Spend')).toContainText('$75.00')
  await expect(figure('Delivery success')).toContainText('75%')
  await expect(figure('Median time to delivery')).toContainText('2.0 s')
  const table = page.getByRole('table', { name: 'Performance by endpoint' })
  const cells = (name: string) => table.getByRole('row', { name }).getByRole('cell')
  await expect(cells('Agency')).toHaveText([
    /^Agency/,
    'Active',
    '3',
    '2',
    /^1/,
    '0',
    '66.7%',
    '2.0 s',
    '$75.00',
  ])
  await expect(cells('Branch')).toHaveText([
    /^Branch/,
    'Active',
    '1',
    '1',
    '0',
    '0',
    '100%',
    '2.0 s',
    '$25.00',
  ])
  await expectSound(page, 'the enterprise dashboard')
  await page.emulateMedia({ colorScheme: 'dark' })
  expect.soft(await findFaults(page, 'colours'), 'dark').toEqual([])

  await table.getByRole('button', { name: 'Spend' }).press('Enter')
  await expect(table.getByRole('columnheader', { name: 'Spend' })).toHaveAttribute('aria-sort', 'descending')
  await table.getByRole('button', { name: 'Spend' }).press('Enter')
  await expect(table.getByRole('link', { name: /^(Agency|Branch)$/ })).toHaveText([/Branch/, /Agency/])
  await table.getByRole('link', { name: 'Branch', exact: true }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(table.getByRole('link', { name: 'Agency', exact: true })).toBeFocused()
  expect(await takeFile(page, 'Export CSV: endpoints')).toEqual([
    'Endpoint,Leads,Spend,Delivered,Failed,Waiting,Delivery success,Median time to delivery (ms)',
    'Branch,1,25.00,1,0,0,1.0000,2000',
    'Agency,3,75.00,2,1,0,0.6667,2000',
    '',
  ])

  await page.getByRole('combobox', { name: 'Group by' }).click()
  await page.getByRole('option', { name: 'By state' }).click()
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'California' }).click()
  const states = page.getByRole('table', { name: 'Performance by state' })
  await expect(states.getByRole('row')).toHaveCount(2)
  await expect(figure('Leads received')).toContainText('1')
  const address = page.url()
  expect(new URL(address).search).toBe('?sort=spend&group=state&state=CA')
  const other = await page.context().newPage()
  await other.goto(address)
  await expect(other.getByRole('table', { name: 'Performance by state' }).getByRole('row')).toHaveCount(2)
  await expect(other.getByRole('columnheader', { name: 'Spend' })).toHaveAttribute('aria-sort', 'ascending')
  await other.close()

  const queue = page.getByRole('table', { name: 'Exceptions' })
  await expect(queue.getByRole('row')).toHaveCount(2)
  await expect(queue).toContainText('Its log is gone')
  await queue.getByRole('link', { name: 'Kim Sample' }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`/leads/${kim}`))
  await page.goBack()
  await expect(page).toHaveURL(address)
  await expect(states.getByRole('row')).toHaveCount(2)
  await expectSound(page, 'a view of one state')
})
