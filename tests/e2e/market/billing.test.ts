import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { findFaults } from '#scripts/look/find-faults.ts'
import { expectSound } from '#tests/support/browser/accessibility.ts'
import { expect, test, toast } from '#tests/support/browser/browser.ts'
import { callAsAdmin, runSql, type E2eClient } from '#tests/support/browser/e2e-client.ts'

const card = (page: Page, title: string) =>
  page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { level: 2, name: title, exact: true }) })

async function expectSoundInBoth(page: Page, screen: string): Promise<void> {
  await expectSound(page, screen)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect.soft(await findFaults(page, 'colours'), `${screen}, dark`).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Gives a client a lead, as if it had been sold to it. */
async function buyLead(client: E2eClient, name: string): Promise<void> {
  const [lead] = await client.receiveLeads([{ name, email: 'bought@example.com', state: 'TX' }])
  await runSql(
    `insert into balance_ledger (client_user_id, entry_type, amount, reference_type, reference_id)
     select client_user_id, 'lead_purchase', -25, 'assignment', id from lead_assignments where lead_id = $1`,
    [lead],
  )
}

test('a client requests funds, sees them arrive and what they were spent on, and prints the receipt', async ({
  page,
  client,
}) => {
  await page.goto('/settings?tab=billing')
  await expect(card(page, 'Balance')).toContainText('$0.00')
  await expect(card(page, 'Balance')).toContainText('Add funds to start')
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  await expect(sidebar.getByRole('link', { name: 'Balance' })).toContainText('Add funds to start')
  await expect(card(page, 'Ledger')).toContainText('No entries yet')
  await expect(card(page, 'Auto-recharge')).toContainText('where a payment provider is configured')
  await expect(card(page, 'Auto-recharge').getByRole('switch')).toHaveCount(0)
  await expectSoundInBoth(page, 'billing of a new client')

  const funds = card(page, 'Request funds')
  const amount = funds.getByRole('textbox', { name: 'Amount' })
  for (const [typed, fault] of [
    ['49.99', 'Must be at least $50'],
    ['10,001', 'Must be at most $10,000'],
    ['a lot', 'Enter dollars, with at most two decimals'],
  ] as const) {
    await amount.fill(typed)
    await funds.getByRole('button', { name: 'Request funds' }).click()
    await expect(funds.getByRole('alert')).toHaveText(fault)
  }
  const payments = page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
  await funds.getByRole('button', { name: '$250', exact: true }).click()
  await funds.getByRole('button', { name: 'Request funds' }).click()
  await expect(funds.getByText('You asked for $250.00')).toBeVisible()
  await expect(funds).toContainText(/Amount \$250\.00 · Reference LW-[0-9A-F]{8}/)
  await expect(payments).toContainText(['$250.00Pending'])
  await payments.getByRole('button', { name: 'Cancel $250.00' }).click()
  await expect(toast(page, 'The payment is cancelled')).toBeVisible()
  await expect(payments).toContainText(['$250.00Cancelled'])
  await amount.fill('$1,000')
  await funds.getByRole('button', { name: 'Request funds' }).click()
  await expect(payments).toContainText(['$1,000.00Pending', '$250.00Cancelled'])

  const { data } = await client.call<{ data: Array<{ id: string }> }>('GET', '/api/v1/payments')
  await callAsAdmin('POST', `/api/v1/admin/payments/${data[0]?.id}/receive`, {})
  await buyLead(client, 'Robin Sample')
  // The client agreed while there was a payment provider, which this installation no longer has.
  await runSql(
    `with kept as (insert into payment_customers (client_user_id, customer_id, method_id, saved_at) values ($1, 'cus_1', 'pm_1', now()))
     update client_accounts set auto_recharge_enabled = true, auto_recharge_threshold = 50, auto_recharge_amount = 100,
       auto_recharge_monthly_max = 250 where user_id = $1`,
    [client.id],
  )
  await page.reload()
  const recharge = card(page, 'Auto-recharge')
  await expect(recharge).toContainText('No payment provider is configured here, so no card can be charged')
  await recharge.getByRole('switch', { name: 'Add funds automatically' }).click()
  await recharge.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(recharge).toContainText('where a payment provider is configured')
  await expect(card(page, 'Balance')).toContainText('$975.00')
  await expect(card(page, 'Balance')).toContainText('Available')
  const rows = page.getByRole('table', { name: 'Ledger' }).getByRole('row')
  await expect(rows).toContainText([
    /Balance/,
    /Lead.*−\$25\.00\$975\.00/,
    /Funds added.*\+\$1,000\.00\$1,000\.00/,
  ])
  await expectSoundInBoth(page, 'billing')

  const saving = page.waitForEvent('download')
  await card(page, 'Ledger').getByRole('button', { name: 'Download CSV' }).click()
  const file = await readFile(await (await saving).path(), 'utf8')
  expect(file.trim().split('\n')).toHaveLength(3)
  await rows.getByRole('link', { name: 'Lead' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Robin Sample' })).toBeVisible()
  await page.goBack()

  await payments.getByRole('link', { name: 'Receipt of $1,000.00' }).click()
  await expect(card(page, 'Receipt')).toContainText(data[0]?.id ?? 'no payment')
  await expect(card(page, 'Receipt')).toContainText(client.email)
  await expect(card(page, 'Receipt')).toContainText(/Receipt no\.0{0,5}\d+SellerLeadwire/)
  await expectSoundInBoth(page, 'a receipt')
  await page.emulateMedia({ media: 'print' })
  await expect(sidebar).toBeHidden()
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(card(page, 'Receipt')).toBeVisible()
  await page.emulateMedia({ media: null })

  await page.goto('/settings?tab=billing')
  await card(page, 'Ledger').getByRole('link', { name: 'Monthly statements' }).click()
  const sums = page.getByRole('table', { name: 'What moved the balance' })
  await expect(sums.getByRole('row')).toContainText([
    'What',
    'Opening balance$0.00',
    /Lead1 entry−\$25\.00/,
    /Funds added1 entry\+\$1,000\.00/,
    'Closing balance$975.00',
  ])
  await expect(page.getByRole('region', { name: 'Receipts' })).toContainText(
    /No\. \d{6} · .* · By request\$1,000\.00/,
  )
  await expectSoundInBoth(page, 'a statement')
  const savingStatement = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect((await savingStatement).suggestedFilename()).toMatch(/^statement-\d{4}-\d\d\.csv$/)
})

test('a balance below its threshold is marked as limited, and an edit that conflicts with another shows both values', async ({
  page,
  client,
}) => {
  await callAsAdmin('POST', `/api/v1/admin/clients/${client.id}/adjust`, {
    amount: '150.00',
    note: 'A start',
  })
  await page.goto('/settings?tab=billing')
  await expect(card(page, 'Balance')).toContainText('Available')
  const threshold = page.getByRole('textbox', { name: 'Low below' })
  await expect(threshold).toHaveValue('100.00')
  await threshold.fill('200')
  await page.getByRole('button', { name: 'Save threshold' }).click()
  await expect(card(page, 'Balance')).toContainText('Limited')
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  await expect(sidebar.getByRole('link', { name: 'Balance' })).toContainText('Limited')
  await expectSoundInBoth(page, 'a low balance')

  const { version } = await client.call<{ version: number }>('GET', '/api/v1/account')
  await client.call('PATCH', '/api/v1/account', { version, low_balance_threshold: '75.00' })
  await threshold.fill('120')
  await page.getByRole('button', { name: 'Save threshold' }).click()
  const conflict = page.getByRole('status').filter({ hasText: 'Changed elsewhere in the meantime' })
  await expect(conflict).toContainText('It is $75.00 now.')
  await expect(threshold).toHaveValue('120')
  await page.getByRole('button', { name: 'Save threshold' }).click()
  await expect(conflict).toHaveCount(0)
  expect(await client.call('GET', '/api/v1/account')).toMatchObject({ low_balance_threshold: '120.00' })
})

test('the payment notice says what is missing, leaves everything else readable, and goes once there are funds', async ({
  page,
  client,
}) => {
  await page.goto('/dashboard')
  await expect(page.getByText('Your current balance is $0.00.')).toBeVisible()
  await expectSoundInBoth(page, 'a dashboard without funds')
  await page.getByRole('status').getByRole('link', { name: 'Add funds' }).click()
  await expect(
    page.getByText('Add funds to start receiving leads. Your current balance is $0.00.'),
  ).toBeVisible()
  await expectSoundInBoth(page, 'payment required')
  await page.getByRole('link', { name: 'Add funds' }).click()
  await expect(card(page, 'Request funds')).toBeVisible()
  await callAsAdmin('POST', `/api/v1/admin/clients/${client.id}/adjust`, { amount: '50.00', note: 'A start' })
  await page.goto('/payment-required')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await expect(page.getByText('Your balance is low')).toBeVisible()
  await page.goto('/settings?tab=notifications')
  await page.getByRole('switch', { name: 'Low balance' }).click()
  await expect(toast(page, 'Your choice is saved')).toBeVisible()
  expect(await client.call('GET', '/api/v1/account')).toMatchObject({
    notices: { low_balance: false, out_of_funds: true },
  })
  await expectSoundInBoth(page, 'notifications')
})

test('a client chooses mails about leads and quiet hours, and ends a kind of mail from its link', async ({
  page,
  client,
}) => {
  const account = () => client.call('GET', '/api/v1/account')
  await page.goto('/settings?tab=notifications')
  await expect(page.getByRole('switch', { name: 'With name, phone and email' })).toHaveCount(0)
  await page.getByRole('switch', { name: 'New leads' }).click()
  await page.getByRole('switch', { name: 'With name, phone and email' }).click()
  await expect(page.getByRole('switch', { name: 'With name, phone and email' })).toBeChecked()
  await page.getByRole('switch', { name: 'Hold mails at night' }).click()
  await page.getByRole('textbox', { name: 'Until' }).fill('21:00')
  await expect(page.getByText('Must differ from the beginning')).toBeVisible()
  await page.getByRole('textbox', { name: 'Until' }).fill('06:30')
  await page.getByRole('button', { name: 'Save hours' }).click()
  await expect.poll(account).toMatchObject({
    notices: { new_leads: true, lead_contacts: true },
    quiet_hours: { from: '21:00', to: '06:30' },
  })
  await expectSoundInBoth(page, 'mails about leads and quiet hours')

  await page.goto('/unsubscribe?token=forged.caps.x')
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('alert')).toContainText('This link is not valid.')
  await expectSoundInBoth(page, 'a link that is not valid')
  await page.route('**/api/v1/unsubscribe*', (route) => route.fulfill({ json: { notice: 'new_leads' } }))
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByText('No more mails of the kind “New leads” are sent to you.')).toBeVisible()
  await expectSoundInBoth(page, 'after unsubscribing')
})
