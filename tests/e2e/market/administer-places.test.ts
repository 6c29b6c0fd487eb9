import type { Page } from '@playwright/test'
import { findFaults } from '#scripts/look/find-faults.ts'
import { expectToFitAnySize } from '#tests/support/browser/any-size.ts'
import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { beginSession, expect, test } from '#tests/support/browser/browser.ts'
import { newEmail, runSql, signUpClient } from '#tests/support/browser/e2e-client.ts'

const dialog = (page: Page) => page.getByRole('dialog')

/**
 * Signs up clients whose rows fill each list of the administration as much as rows can: a long name, long
 * amounts and words, many entries and failed deliveries.
 */
async function givenFullestRows() {
  const client = await signUpClient(newEmail().replace('@', '.of.the.northern.counties@mail.'))
  await client.addWebhook({ endpoint_url: 'https://crm.example.com/hook' })
  await runSql(`update client_accounts set business_name = $2, status = 'active' where user_id = $1`, [
    client.id,
    'Whitfield, Abernathy & Montgomery Senior Insurance Partners of Northern Pennsylvania, LLC',
  ])
  await client.receiveLeads(
    Array.from({ length: 12 }, (_, at) => ({ first_name: 'Bartholomew', phone: `+1215555${1000 + at}` })),
  )
  await runSql(
    `insert into balance_ledger (client_user_id, entry_type, amount, reference_type, reference_id)
     select $1::uuid, 'top_up', 8888888.88, null, gen_random_uuid()::text union all
     select client_user_id, 'lead_purchase', -88.88, 'assignment', id::text from lead_assignments where client_user_id = $1`,
    [client.id],
  )
  await runSql(
    `insert into orders (client_user_id, name, lead_type, timezone)
     select $1, 'Final expense in all the northern counties, on weekdays ' || n, 'final_expense', 'UTC'
     from generate_series(1, 88) n`,
    [client.id],
  )
  // This one waits for approval, and has never had money or an order.
  await signUpClient(newEmail().replace('@', '.of.the.southern.counties@mail.'))
  return client
}

test('an owner sets for how long leads are held, with a reason, and gives it back to the environment', async ({
  page,
}) => {
  await becomeAdministrator(page)
  await page.goto('/admin/settings')
  const hours = page.getByRole('textbox', { name: 'Hours that an unsold lead is held' })
  const save = async (text: string) => {
    await hours.fill(text)
    await page.getByRole('textbox', { name: 'Note' }).fill('Tried for a week')
    await page.getByRole('button', { name: 'Save settings' }).click()
  }
  await expect(page.getByText('Empty: 24, as LEAD_HOLD_HOURS says.')).toBeVisible()
  await expect(page.getByText('LOG_RETENTION_DAYS', { exact: true })).toBeVisible()
  await save('721')
  await expect(page.getByText('Must be a whole number from 1 to 720, or empty')).toBeVisible()
  await save('48')
  await expect(page.getByText('The settings are saved')).toBeVisible()
  await page.reload()
  await expect(hours).toHaveValue('48')
  await save('')
  await expect(page.getByText('The settings are saved')).toBeVisible()
})

test('each place fits a phone in both themes, has no accessibility fault, and can be loaded again', async ({
  page,
}) => {
  const client = await givenFullestRows()
  await becomeAdministrator(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const tabs = ['business', 'orders', 'webhooks', 'money', 'people', 'notes', 'audit']
  const parts = tabs.map((tab) => `clients/${client.id}?tab=${tab}`)
  const places = ['leads', 'clients', 'orders', 'prices', 'money', 'returns', 'sources', 'sources?tab=import']
  const money = ['adjustments', 'balances', 'ledger', 'revenue'].map((tab) => `money?tab=${tab}`)
  for (const place of [...places, ...money, 'compliance', 'needs-you', 'deliveries', 'settings', ...parts]) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`/admin/${place}`)
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await expectToFitAnySize(page, place)
    expect(await findFaults(page), place).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
  // A refused request is not repeated automatically.
  await page.route('**/api/v1/admin/clients*', (route) => route.fulfill({ status: 403, json: {} }))
  await page.goto('/admin/clients')
  await expect(page.getByText('The clients could not be loaded.')).toBeVisible()
  await page.unroute('**/api/v1/admin/clients*')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('table', { name: 'Clients' })).toBeVisible()
  expect(await findFaults(page)).toEqual([])
})

test('a credit of $600 reaches the client once a second administrator confirms it', async ({ page }) => {
  const [client, second] = [await signUpClient(), await signUpClient()]
  const { name } = client
  await runSql(`update profiles set role = 'admin' where user_id = $1`, [second.id])
  await becomeAdministrator(page)
  await test.step('one administrator asks, and cannot confirm it', async () => {
    await page.goto('/admin/clients')
    await page.getByRole('searchbox', { name: 'Name, email or business' }).fill(client.email)
    // The link of the whole list is replaced by that of the result, and would take the press with it.
    await expect(page.getByRole('table', { name: 'Clients' }).getByRole('row')).toHaveCount(2)
    await page.getByRole('link', { name }).click()
    await page.getByRole('button', { name: 'Adjust balance' }).click()
    await dialog(page).getByRole('textbox', { name: 'Amount ($)' }).fill('600')
    await dialog(page).getByRole('textbox', { name: 'Note' }).fill('Paid by cheque 7')
    await dialog(page).getByRole('button', { name: 'Adjust', exact: true }).click()
    await expect(page.getByText('It waits until another administrator confirms it')).toBeVisible()
    await page.goto('/admin/money?tab=adjustments')
    const row = page.getByRole('row').filter({ hasText: name })
    await expect(row).toContainText('Another administrator confirms it.')
    await expect(row.getByRole('button', { name: 'Confirm' })).toHaveCount(0)
    expect(await client.call('GET', '/api/v1/me')).toMatchObject({ balance: '0.00' })
  })
  await test.step('another administrator confirms it, and the money moves', async () => {
    await beginSession(page, second.session)
    await page.goto('/admin/money?tab=adjustments')
    await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible()
    await expectToFitAnySize(page, 'adjustments')
    expect(await findFaults(page)).toEqual([])
    await page.getByRole('button', { name: `Confirm +$600.00 for ${name}` }).click()
    await dialog(page).getByRole('button', { name: 'Confirm' }).click()
    await expect(dialog(page).getByText('Note is required')).toBeVisible()
    await dialog(page).getByRole('textbox', { name: 'Note' }).fill('Cheque seen')
    await dialog(page).getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText(`+$600.00 for ${name}: done`)).toBeVisible()
    expect(await client.call('GET', '/api/v1/me')).toMatchObject({ balance: '600.00' })
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Confirmed' }).click()
    await expect(page.getByRole('row').filter({ hasText: name })).toContainText(
      `by ${second.email}: Cheque seen`,
    )
  })
  await test.step('the ledger of all clients and the statement of this one show it', async () => {
    await page.getByRole('tab', { name: 'Ledger' }).click()
    const entry = page.getByRole('row').filter({ hasText: name })
    await expect(entry).toContainText('+$600.00')
    await page.getByRole('tab', { name: 'Balances' }).click()
    await page.getByRole('link', { name: `Statement of ${name}` }).click()
    const sums = page.getByRole('table', { name: 'What moved the balance' })
    await expect(sums.getByRole('row')).toContainText(['What', '$0.00', 'Credit1 entry+$600.00', '$600.00'])
    await expectToFitAnySize(page, 'a statement')
    expect(await findFaults(page)).toEqual([])
  })
})
