import type { Page } from '@playwright/test'
import { findFaults } from '#scripts/look/find-faults.ts'
import { expectToFitAnySize } from '#tests/support/browser/any-size.ts'
import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { expect, test } from '#tests/support/browser/browser.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { offerLead, runSql, signUpClient, type E2eClient } from '#tests/support/browser/e2e-client.ts'

const dialog = (page: Page) => page.getByRole('dialog')

/** Approves a client of this business, with money and an order for a lead type of its own. */
async function givenBuyer(business: string, type: string, order: string): Promise<E2eClient> {
  const client = await signUpClient()
  await runSql(
    `insert into lead_types (code, label, price, floor_price) values ($1, $1, 25, 10) on conflict do nothing`,
    [type],
  )
  await runSql(`update client_accounts set status = 'active', business_name = $2 where user_id = $1`, [
    client.id,
    business,
  ])
  await runSql(
    `insert into balance_ledger (client_user_id, entry_type, amount, reference_id) values ($1, 'top_up', 500, gen_random_uuid()::text)`,
    [client.id],
  )
  await client.call('POST', '/api/v1/orders', { name: order, lead_type: type, timezone: 'UTC', active: true })
  return client
}

async function waitForOutcome(lead: string, outcome: string): Promise<void> {
  const read = async () =>
    (await runSql('select outcome from assignment_decisions where lead_id = $1', [lead]))[0]?.['outcome']
  await waitUntil(async () => (await read()) === outcome, { what: `The lead being ${outcome}` })
}

test('an administrator finds a lead and says in three clicks why it went where it went', async ({ page }) => {
  const tag = crypto.randomUUID().slice(0, 8)
  const [business, type] = [`Harbor Insurance ${tag}`, `story_${tag}`]
  const client = await givenBuyer(business, type, 'Harbor order')
  await client.addWebhook({ endpoint_url: 'http://127.0.0.1:4999/refused' })
  await givenBuyer(`Second ${tag}`, type, 'Second order')
  await runSql(`update orders set priority = 99 where name = 'Second order' and lead_type = $1`, [type])
  const person = { name: `Rosa ${tag}`, email: `rosa.${tag}@example.com`, phone: '+12025550143' }
  const lead = await offerLead({ lead_type: type, state: 'CA', external_id: `form-${tag}`, ...person })
  await waitForOutcome(lead, 'assigned')

  await becomeAdministrator(page)
  await page.goto('/admin')
  const menu = page.getByRole('navigation', { name: 'Administration' })
  await menu.getByRole('link', { name: 'Leads' }).click()
  await page.getByRole('searchbox', { name: 'Name, email or phone' }).fill(person.email)
  const row = page.getByRole('table', { name: 'Leads' }).getByRole('row').filter({ hasText: person.name })
  await expect(row).toContainText(business)
  await expect(page.getByText('1 lead · 1 sold for $25.00 · 0 unsold · 0 returned')).toBeVisible()
  expect(await findFaults(page)).toEqual([])
  await row.getByRole('link', { name: person.name }).click()

  const region = (name: string) => page.getByRole('region', { name })
  await expect(region('Why it went where it went')).toContainText('by the order “Harbor order” for $25.00.')
  await expect(region('Why it went where it went')).toContainText('Another order came first')
  await expect(page.getByText(`Bought by ${business}`)).toBeVisible()
  await expect(page.getByText(`form-${tag}`)).toBeVisible()
  await waitUntil(
    async () => (await runSql('select 1 from webhook_delivery_logs where lead_id = $1', [lead])).length > 0,
    { what: 'An attempt' },
  )
  await runSql(
    `insert into balance_ledger (client_user_id, entry_type, amount, reference_type, reference_id)
     select client_user_id, 'late_credit', price, 'assignment', id::text from lead_assignments where lead_id = $1`,
    [lead],
  )
  await page.reload()
  await expect(page.getByText(`Late, credited to ${business}`)).toBeVisible()
  await page.getByRole('button', { name: 'Example CRM: show attempt 1' }).first().click()
  await expect(dialog(page).getByText('Delivery attempt', { exact: true })).toBeVisible()
  await expect(dialog(page)).toContainText('Delivery id')
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  expect(await findFaults(page)).toEqual([])
  await expectToFitAnySize(page, 'one lead')

  await test.step('the search of the top bar and the palette open the same page', async () => {
    await page.goto('/admin/prices')
    await page.getByRole('combobox', { name: 'Search leads' }).fill(person.email)
    await page.getByRole('option', { name: person.name }).click()
    await expect(page).toHaveURL(`/admin/leads/${lead}`)
    await page.goto('/admin/prices')
    await expect(page.getByRole('button', { name: 'Search and commands' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search leads and commands' }).fill(person.email)
    await dialog(page).getByRole('option', { name: person.name }).click()
    await expect(page).toHaveURL(`/admin/leads/${lead}`)
  })
})

test('an administrator reassigns a lead with the money moved, then erases its person everywhere', async ({
  page,
}) => {
  const tag = crypto.randomUUID().slice(0, 8)
  const [first, second, type] = [`Bay ${tag}`, `Cove ${tag}`, `move_${tag}`]
  await givenBuyer(first, type, 'Bay order')
  const client = await givenBuyer(second, type, 'Cove order')
  await runSql(`update orders set priority = 99 where name = 'Cove order' and lead_type = $1`, [type])
  const email = `rosa.${tag}@example.com`
  const lead = await offerLead({
    lead_type: type,
    state: 'CA',
    name: `Rosa ${tag}`,
    email,
    consent_given: true,
  })
  await waitForOutcome(lead, 'assigned')

  await becomeAdministrator(page)
  await page.goto(`/admin/leads/${lead}`)
  await page.getByRole('button', { name: 'Reassign' }).click()
  expect(await findFaults(page)).toEqual([])
  await dialog(page).getByRole('combobox', { name: 'Client' }).fill(second)
  await page.getByRole('option', { name: second }).click()
  await dialog(page).getByRole('combobox', { name: 'Order' }).click()
  await page.getByRole('option', { name: 'Cove order' }).click()
  await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Agreed by phone')
  await dialog(page).getByRole('button', { name: 'Reassign' }).click()
  await expect(page.getByText('Reassigned: $25.00 credited, $25.00 charged')).toBeVisible()
  const had = page.getByRole('table', { name: 'Clients that had it' })
  await expect(had.getByRole('row').filter({ hasText: first })).toContainText('Taken back')
  await expect(had.getByRole('row').filter({ hasText: second })).toContainText('Has it')
  expect(await client.call('GET', '/api/v1/balance')).toMatchObject({ balance: '475.00' })

  await page.getByRole('link', { name: 'Compliance' }).click()
  await page.getByRole('searchbox', { name: 'Person’s phone or email' }).fill(email)
  await page.getByRole('button', { name: 'Find person' }).click()
  await expect(page.getByText('Stored: 1 lead.')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Leads of this person' })).toContainText('Given')
  expect(await findFaults(page)).toEqual([])
  await expectToFitAnySize(page, 'one person')
  await page.getByRole('button', { name: 'Download a copy' }).click()
  await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Asked by letter')
  const download = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('person.json')
  await page.getByRole('button', { name: 'Erase person' }).click()
  await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Asked by letter')
  await dialog(page).getByRole('button', { name: 'Erase person' }).click()
  await expect(page.getByText('Nothing is stored about a person with this email.')).toBeVisible()
  await expect(page.getByText('On the suppression list: erased.')).toBeVisible()
  expect(await runSql('select status, email from leads where id = $1', [lead])).toEqual([
    { status: 'redacted', email: null },
  ])
})
