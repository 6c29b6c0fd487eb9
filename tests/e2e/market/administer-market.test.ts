import type { Page } from '@playwright/test'
import { findFaults } from '#scripts/look/find-faults.ts'
import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { expect, test } from '#tests/support/browser/browser.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { offerLead, runSql, signUpClient } from '#tests/support/browser/e2e-client.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const nameOf = (email: string) => email.slice(0, email.indexOf('@'))

/** Creates a client with an order for leads of its own. */
async function givenOrder() {
  const client = await signUpClient()
  const name = nameOf(client.email)
  const type = `of_${name.replace('client.', '')}`
  await runSql('insert into lead_types (code, label, price, floor_price) values ($1, $1, 25, 10)', [type])
  const wish = { name: `West ${name}`, lead_type: type, timezone: 'America/Chicago', active: true }
  await client.call('POST', '/api/v1/orders', wish)
  return { client, name, type, order: wish.name }
}

test('an administrator’s pause and the client’s own pause of an order show side by side, and end separately', async ({
  page,
}) => {
  const { client, order } = await givenOrder()
  await runSql(`update orders set paused_by = 'client' where name = $1`, [order])
  await becomeAdministrator(page)
  await page.goto('/admin/orders')
  const row = page.getByRole('table', { name: 'Orders' }).getByRole('row').filter({ hasText: order })
  await expect(row).toContainText('Paused by the client')
  await row.getByRole('button', { name: `Change ${order}` }).click()
  await expect(dialog(page)).toContainText('That pause is only the client’s to end.')
  const pause = dialog(page).getByRole('switch', { name: 'Paused by us' })
  await expect(pause).not.toBeChecked()
  await pause.click()
  await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Licence ended')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('Paused by us and the client')
  const { data } = await client.call<{ data: { paused_by: string; paused_by_client: boolean }[] }>(
    'GET',
    '/api/v1/orders',
  )
  expect(data).toMatchObject([{ paused_by: 'admin', paused_by_client: true }])
  await row.getByRole('button', { name: `Change ${order}` }).click()
  await pause.click()
  await dialog(page).getByRole('textbox', { name: 'Note' }).fill('Licence renewed')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('Paused by the client')
})

test('an administrator approves a client, sets a price, ranks the order, and sees who got a lead', async ({
  page,
}) => {
  const { client, name, type, order } = await givenOrder()
  const business = `Acme Insurance ${name}`
  await runSql(
    `update client_accounts set business_name = $2, npn = '1234567', licensed_states = '{CA,NV}' where user_id = $1`,
    [client.id, business],
  )
  await client.addWebhook({ endpoint_url: 'https://crm.example.com/hook', trigger_on_lead_assigned: false })
  await becomeAdministrator(page)
  await page.goto('/admin/clients')
  const rowOf = (table: string, text: string) =>
    page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text })

  await test.step('the client waits for approval, and is found by a part of the address', async () => {
    await page.getByRole('searchbox', { name: 'Name, email or business' }).fill(name)
    await expect(page.getByRole('table', { name: 'Clients' }).getByRole('row')).toHaveCount(2)
    await expect(rowOf('Clients', name)).toContainText('Waiting for approval')
    await page.getByRole('link', { name: business }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(business)
  })
  await test.step('the licences are beside the approval, which asks for a reason', async () => {
    await expect(page.getByText('NPN 1234567, licensed in CA, NV.')).toBeVisible()
    await page.getByRole('button', { name: 'Approve' }).click()
    await dialog(page).getByRole('button', { name: 'Approve' }).click()
    await expect(dialog(page).getByText('Say why')).toBeVisible()
    await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Licence looked at')
    await dialog(page).getByRole('button', { name: 'Approve' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Active')
  })
  await test.step('the client’s balance is adjusted with a note, and cannot become negative', async () => {
    await page.getByRole('button', { name: 'Adjust balance' }).click()
    const [amount, note] = ['Amount ($)', 'Note'].map((field) =>
      dialog(page).getByRole('textbox', { name: field }),
    )
    const adjust = dialog(page).getByRole('button', { name: 'Adjust', exact: true })
    await amount?.fill('-0.01')
    await adjust.click()
    await expect(dialog(page).getByText('Note is required')).toBeVisible()
    await note?.fill('For the lost day')
    await adjust.click()
    await expect(dialog(page).getByText('The balance holds less than this amount.')).toBeVisible()
    await amount?.fill('5.00')
    await adjust.click()
    await expect(page.getByText('The balance is $5.00')).toBeVisible()
    await page.getByRole('tab', { name: 'Money' }).click()
    await expect(rowOf('Ledger', 'For the lost day')).toContainText('+$5.00')
    await page.getByRole('link', { name: 'Monthly statements' }).click()
    await expect(page.getByRole('table', { name: 'What moved the balance' })).toContainText('+$5.00')
    await page.goBack()
  })
  await test.step('a part of it is paid out, with method, reference and reason', async () => {
    await page.getByRole('button', { name: 'Pay out' }).click()
    await expect(dialog(page).getByRole('textbox', { name: 'Amount ($)' })).toHaveValue('5.00')
    await dialog(page).getByRole('textbox', { name: 'Amount ($)' }).fill('2.00')
    await dialog(page).getByRole('textbox', { name: 'Note' }).fill('Asked for it')
    await dialog(page).getByRole('button', { name: 'Pay out' }).click()
    await expect(dialog(page).getByText('Reference is required')).toBeVisible()
    await dialog(page).getByRole('textbox', { name: 'Reference' }).fill('4711')
    await dialog(page).getByRole('button', { name: 'Pay out' }).click()
    await expect(page.getByText('The balance is $3.00')).toBeVisible()
    await expect(rowOf('Ledger', 'By bank transfer, reference 4711: Asked for it')).toContainText('Paid back')
  })
  await test.step('a note is kept, with its author, and the audit tells the approval and its reason', async () => {
    await page.getByRole('tab', { name: 'Notes' }).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('Wants more of Texas in spring')
    await page.getByRole('button', { name: 'Add note' }).click()
    await expect(page.getByRole('list', { name: 'Notes' })).toContainText('Wants more of Texas in spring')
    await page.getByRole('tab', { name: 'Audit' }).click()
    await expect(rowOf('Audit', 'approved the client')).toContainText('Status: onboarding → active')
    await expect(rowOf('Audit', 'approved the client')).toContainText('Licence looked at')
  })
  await test.step('all sending is paused and resumed with reasons; the client reads the first', async () => {
    await page.getByRole('tab', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'Pause sending' }).click()
    await dialog(page).getByRole('button', { name: 'Pause sending' }).click()
    await expect(dialog(page).getByText('Say why; the client reads it')).toBeVisible()
    await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Your CRM asked us to wait.')
    await dialog(page).getByRole('button', { name: 'Pause sending' }).click()
    await expect(page.getByText('The client reads: “Your CRM asked us to wait.”')).toBeVisible()
    expect(await findFaults(page)).toEqual([])
    const { data: health } = await client.call<{ data: { sending_pause_reason: string }[] }>(
      'GET',
      '/api/v1/webhook-configs/health',
    )
    expect(health).toMatchObject([{ sending_pause_reason: 'Your CRM asked us to wait.' }])
    await page.getByRole('button', { name: 'Resume sending' }).click()
    await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('The CRM is back')
    await dialog(page).getByRole('button', { name: 'Resume sending' }).click()
    await expect(page.getByText('The client reads:')).toBeHidden()
  })
  await test.step('what has failed is counted, and sent again with a reason', async () => {
    await runSql(
      `with lead as (
        insert into leads (user_id, name, lead_type) values ($1, 'Rosa Example', 'final_expense') returning id, user_id
      ), told as (
        insert into events (type, lead_id, client_user_id, planned_at, enqueued_at)
        select 'lead.created', id, user_id, now(), now() from lead returning id, lead_id
      )
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt,
        failure_class, finished_at)
      select told.id, 'lead.created', c.id, $1, told.lead_id, 'failed', 8, 'timeout', now()
      from told, client_webhook_configs c where c.client_user_id = $1`,
      [client.id],
    )
    await page.getByRole('button', { name: 'Resend failed…' }).click()
    await expect(dialog(page).getByText('1 delivery failed for good and can be sent again.')).toBeVisible()
    await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('Their server is back')
    await dialog(page).getByRole('button', { name: 'Resend 1' }).click()
    await expect(page.getByText('1 delivery is sent again')).toBeVisible()
  })
  await test.step('a price below the floor is refused at its field; a valid one is set', async () => {
    await page
      .getByRole('navigation', { name: 'Administration' })
      .getByRole('link', { name: 'Prices' })
      .click()
    await page.getByRole('button', { name: 'Set price' }).click()
    await dialog(page).getByRole('combobox', { name: 'Lead type' }).click()
    await page.getByRole('option', { name: type }).click()
    await dialog(page).getByRole('textbox', { name: 'Find a client' }).fill(name)
    await dialog(page).getByRole('combobox', { name: 'Client', exact: true }).click()
    await page.getByRole('option', { name }).click()
    await dialog(page).getByRole('textbox', { name: 'Price ($)' }).fill('1')
    await dialog(page).getByRole('textbox', { name: 'Reason' }).fill('A hundred a week')
    await dialog(page).getByRole('button', { name: 'Set price' }).click()
    await expect(dialog(page).getByText('Must be at least the floor price, $10.00')).toBeVisible()
    await dialog(page).getByRole('textbox', { name: 'Price ($)' }).fill('19.5')
    await dialog(page).getByRole('button', { name: 'Set price' }).click()
    await expect(rowOf('Other prices', name)).toContainText('$19.50')
  })
  await test.step('if two administrators change the order, the second sees both values', async () => {
    await page
      .getByRole('navigation', { name: 'Administration' })
      .getByRole('link', { name: 'Orders' })
      .click()
    // Another test may create many orders meanwhile.
    const more = page.getByRole('button', { name: 'Load more' })
    await expect(async () => {
      if (await more.isVisible()) await more.click()
      await expect(rowOf('Orders', order)).toContainText('$19.50', { timeout: 2000 })
    }).toPass({ timeout: 30_000 })
    await page.getByRole('button', { name: `Change ${order}` }).click()
    await runSql('update orders set priority = 7, version = version + 1 where name = $1', [order])
    await dialog(page).getByRole('textbox', { name: 'Priority' }).fill('1')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await expect(dialog(page).getByText('Say why')).toBeVisible()
    await dialog(page).getByRole('textbox', { name: 'Note' }).fill('First of all')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await expect(dialog(page).getByText('Now stored: 7')).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Save mine' }).click()
    await expect(page.getByText(`Order “${order}” changed`)).toBeVisible()
  })
  const kept = await runSql('select priority, version from orders where name = $1', [order])
  expect(kept).toEqual([{ priority: 1, version: 3 }])
  const told = await runSql(
    `select details ->> 'note' as note from auth.audit_log where user_id = $1 and actor = 'admin' and details ? 'note' order by at`,
    [client.id],
  )
  expect(told.map(({ note }) => note)).toEqual([
    'Licence looked at',
    'For the lost day',
    'Asked for it',
    null,
    'The CRM is back',
    'Their server is back',
    'A hundred a week',
    'First of all',
  ])
  const sold = await test.step('the lead shows its buyer, its price and the number of tries', async () => {
    const lead = await offerLead({ lead_type: type, name: 'Rosa Example', email: client.email, state: 'CA' })
    const outcome = async () =>
      (await runSql('select outcome from assignment_decisions where lead_id = $1', [lead]))[0]?.['outcome']
    const why = page.getByRole('region', { name: 'Why it went where it went' })
    await waitUntil(async () => (await outcome()) === 'no_buyer', { what: 'The lead being refused' })
    await page.goto(`/admin/leads/${lead}`)
    await expect(why).toContainText('Sold to nobody: the balance was below the price.')
    await client.call('POST', '/api/v1/payments', { amount: '100' })
    await page.goto('/admin/money')
    await page.getByRole('button', { name: `Received $100.00 from ${business}` }).click()
    await dialog(page).getByRole('textbox', { name: 'Note' }).fill('Wire 7')
    await dialog(page).getByRole('button', { name: 'Mark as received' }).click()
    await expect(page.getByText(`$100.00 is on the balance of ${business}`)).toBeVisible()
    await waitUntil(async () => (await outcome()) === 'assigned', { what: 'The lead being sold' })
    await page.goto(`/admin/leads/${lead}`)
    await expect(why).toContainText(`Sold to ${business} by the order “${order}” for $19.50.`)
    return lead
  })
  await test.step('the lead’s return is denied with a note that the client reads', async () => {
    await client.call('POST', `/api/v1/leads/${sold}/return`, { reason: 'language' })
    await page.goto('/admin/returns')
    await page.getByRole('button', { name: `Deny the return of lead ${sold.slice(-8)}` }).click()
    const deny = dialog(page).getByRole('button', { name: 'Deny' })
    await deny.click()
    await expect(dialog(page).getByText('Say why it is denied')).toBeVisible()
    await dialog(page).getByRole('textbox', { name: 'Note' }).fill('Your order takes any language')
    await deny.click()
    await expect(page.getByText('Return denied')).toBeVisible()
    const { data } = await client.call<{ data: unknown[] }>('GET', '/api/v1/returns')
    expect(data).toMatchObject([{ status: 'denied', decision_note: 'Your order takes any language' }])
  })
})

test('an administrator suppresses a pasted list, sees the invalid lines, and finds one entry', async ({
  page,
}) => {
  const email = `${crypto.randomUUID()}@example.com`
  await becomeAdministrator(page)
  await page.goto('/admin/compliance')
  await page.getByRole('button', { name: 'Suppress', exact: true }).click()
  await dialog(page)
    .getByRole('textbox', { name: 'Phones and emails' })
    .fill(`${email}\nnobody\n(202) 555-0177`)
  await dialog(page).getByRole('button', { name: 'Suppress' }).click()
  await expect(dialog(page).getByText('Line 2: Is not a valid phone number')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByPlaceholder('Is this phone or email on the list?').fill(email.toUpperCase())
  await page.getByRole('button', { name: 'Look' }).click()
  await expect(page.getByText('On the list: opted out')).toBeVisible()
  await page.getByRole('search').getByRole('button', { name: 'Remove' }).click()
  const removal = page.getByRole('dialog', { name: 'Take this entry off the list?' })
  await removal.getByRole('button', { name: 'Take off the list' }).click()
  await expect(removal.getByText('Say why')).toBeVisible()
  await removal.getByRole('textbox', { name: 'Reason' }).fill('Gave consent again')
  await removal.getByRole('button', { name: 'Take off the list' }).click()
  await expect(page.getByText('Taken off the list')).toBeVisible()
  await page.getByPlaceholder('Is this phone or email on the list?').fill(email)
  await page.getByRole('button', { name: 'Look' }).click()
  await expect(page.getByText('Not on the list')).toBeVisible()
})
