import type { Page } from '@playwright/test'
import { expect, SIGNED_OUT, test, toast } from '#tests/support/browser/browser.ts'
import { callAsAdmin, GOOD_PASSWORD, newEmail, offerLead, runSql } from '#tests/support/browser/e2e-client.ts'
import { readEnvironment } from '#tests/support/browser/e2e-environment.ts'

test.use({ session: SIGNED_OUT })

const steps = (page: Page) => page.getByRole('list', { name: 'Your first lead' })
const done = (page: Page, count: number) => expect(page.getByText(`${count} of 5 done`)).toBeVisible()

/** The newest payment or return of a client, as administrators list them. */
async function findForAdmin(what: 'payments' | 'returns', email: string): Promise<string> {
  type Row = { id: string; client: { email: string } }
  const { data } = await callAsAdmin<{ data: Row[] }>('GET', `/api/v1/admin/${what}?status=pending`)
  return data.find(({ client }) => client.email === email)?.id ?? 'none'
}

test('a new client’s first hour: from the sign-up to a lead that was bought, delivered, returned and paid back', async ({
  page,
  context,
}) => {
  const { crm } = readEnvironment()
  const email = newEmail()
  const name = email.slice(0, email.indexOf('@'))
  // What only this client wants, so that nobody of another test gets it.
  const type = `of_${name.replace('client.', '')}`
  await runSql('insert into lead_types (code, label, price, floor_price) values ($1, $1, 25, 10)', [type])
  const dialog = page.getByRole('dialog')
  const main = page.getByRole('main')

  await test.step('the sign-up leads to the first steps', async () => {
    await page.goto('/auth?mode=sign-up')
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await done(page, 0)
  })
  await test.step('a webhook that points at the CRM', async () => {
    await steps(page).getByRole('link', { name: 'Add a webhook' }).click()
    await page.getByRole('button', { name: 'Create Your First Webhook' }).click()
    await dialog.getByLabel('Webhook Name').fill('My CRM')
    await dialog.getByLabel('Endpoint URL').fill(`${crm}/webhooks/leads`)
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.getByRole('button', { name: 'Send a test' }).click()
    await expect(dialog.getByText('Your endpoint answered 200.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('row').filter({ hasText: 'My CRM' })).toBeVisible()
  })
  await test.step('a test lead reaches it, and costs nothing', async () => {
    await page.goto('/dashboard')
    await done(page, 1)
    await steps(page).getByRole('link', { name: 'Run a test' }).click()
    await page.getByRole('button', { name: 'Run Assignment Test' }).click()
    await expect(toast(page, /^Test lead created and assignment triggered/)).toBeVisible()
    await expect(async () => {
      await page.goto('/dashboard')
      await expect(page.getByText('2 of 5 done')).toBeVisible({ timeout: 3000 })
    }).toPass()
  })
  await test.step('an order', async () => {
    await steps(page).getByRole('link', { name: 'Choose leads' }).click()
    await main.getByRole('button', { name: 'Create your first order' }).click()
    await dialog.getByLabel('Name').fill('My order')
    await dialog.getByRole('combobox', { name: 'Lead type' }).click()
    await page.getByRole('option', { name: type }).click()
    await dialog.getByRole('radio', { name: 'At all hours' }).check()
    await dialog.getByRole('button', { name: 'Create order' }).click()
    await expect(main.getByText('$25.00 a lead')).toBeVisible()
    await main.getByRole('switch', { name: 'Take leads for My order' }).click()
    await expect(toast(page, 'Order resumed')).toBeVisible()
  })
  await test.step('funds are asked for and received, and the account is approved', async () => {
    await page.goto('/dashboard')
    await done(page, 3)
    await steps(page).getByRole('link', { name: 'Add funds' }).click()
    await main.getByRole('textbox', { name: 'Amount' }).fill('100')
    await main.getByRole('button', { name: 'Request funds' }).click()
    await expect(main.getByText('You asked for $100.00')).toBeVisible()
    const payment = await findForAdmin('payments', email)
    await callAsAdmin('POST', `/api/v1/admin/payments/${payment}/receive`, {})
    const [row] = await runSql('select user_id from profiles where email = $1', [email])
    await callAsAdmin('POST', `/api/v1/admin/clients/${String(row?.['user_id'])}/approve`, {})
    await page.goto('/dashboard')
    await done(page, 4)
  })
  const lead = await test.step('the first lead is bought, and in the CRM', async () => {
    const person = {
      name: `Robin ${name}`,
      email: `robin.${name}@example.com`,
      phone: '+15125550143',
      state: 'TX',
    }
    const id = await offerLead({ lead_type: type, ...person })
    const crmPage = await context.newPage()
    await crmPage.goto(crm)
    const received = crmPage.getByRole('listitem').filter({ hasText: person.email })
    await expect(received).toContainText('lead.assigned')
    await crmPage.close()
    return id
  })
  await test.step('it is worked with, and given back', async () => {
    await page.goto('/leads')
    await page.getByRole('link', { name: `Robin ${name}` }).click()
    await expect(main.getByText('$25.00')).toBeVisible()
    await main.getByRole('button', { name: 'Request return' }).click()
    await dialog.getByRole('combobox', { name: 'Reason' }).click()
    await page.getByRole('option', { name: 'Number is disconnected' }).click()
    await dialog.getByRole('button', { name: 'Request return' }).click()
    await expect(main.getByText('Return requested. It is reviewed within 2 business days.')).toBeVisible()
    const asked = await findForAdmin('returns', email)
    await callAsAdmin('POST', `/api/v1/admin/returns/${asked}/approve`, {})
    await page.goto(`/leads/${lead}`)
    await expect(main.getByText('Return approved. $25.00 added to your balance.')).toBeVisible()
  })
  await test.step('the ledger shows all of it', async () => {
    await page.goto('/settings?tab=billing')
    const rows = page.getByRole('table', { name: 'Ledger' }).getByRole('row')
    await expect(rows).toContainText([
      /Balance/,
      /\+\$25\.00\$100\.00/,
      /−\$25\.00\$75\.00/,
      /\+\$100\.00\$100\.00/,
    ])
    await expect(rows).toHaveCount(4)
  })
})
