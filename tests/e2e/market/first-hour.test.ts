import type { BrowserContext, Page } from '@playwright/test'
import { PHONE } from '#tests/support/browser/any-size.ts'
import { dismissToasts, expect, SIGNED_OUT, test, toast } from '#tests/support/browser/browser.ts'
import { callAsAdmin, GOOD_PASSWORD, newEmail, offerLead, runSql } from '#tests/support/browser/e2e-client.ts'
import { readEnvironment } from '#tests/support/browser/e2e-environment.ts'

test.use({ session: SIGNED_OUT })

const steps = (page: Page) => page.getByRole('list', { name: 'Your first lead' })
const done = (page: Page, count: number) => expect(page.getByText(`${count} of 6 done`)).toBeVisible()

/** Returns the newest payment or return of a client from the administrators' list. */
async function findForAdmin(what: 'payments' | 'returns', email: string): Promise<string> {
  type Row = { id: string; client: { email: string } }
  const { data } = await callAsAdmin<{ data: Row[] }>('GET', `/api/v1/admin/${what}?status=pending`)
  return data.find(({ client }) => client.email === email)?.id ?? 'none'
}

/** Finds what is shown in the colours of a failure. */
const FIND_RED = `[...document.querySelectorAll('[class*="failure"]')]
  .filter((one) => /(^|\\s)(text|bg|border|fill|stroke)-failure/.test(one.getAttribute('class')))
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => one.textContent.trim())`
const readRed = (page: Page): Promise<string[]> => page.evaluate(FIND_RED)

for (const viewport of [{ width: 1280, height: 800 }, PHONE])
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport })
    test(
      'a new client’s first hour: from sign-up to a lead that is bought, delivered, returned and credited',
      firstHour,
    )
  })

async function firstHour({ page, context }: { page: Page; context: BrowserContext }) {
  const { crm } = readEnvironment()
  const email = newEmail()
  const name = email.slice(0, email.indexOf('@'))
  // A lead type that only this client wants, so that no other test gets the lead.
  const type = `of_${name.replace('client.', '')}`
  await runSql('insert into lead_types (code, label, price, floor_price) values ($1, $1, 25, 10)', [type])
  const dialog = page.getByRole('dialog')
  const main = page.getByRole('main')

  const atStep = async (number: number, title: string) => {
    await expect(main.getByText(`Step ${number} of 6`)).toBeVisible()
    await expect(main.getByRole('heading', { level: 2, name: title })).toBeFocused()
    await expect(main.getByRole('navigation', { name: 'Steps' }).locator('[aria-current=step]')).toHaveText(
      new RegExp(title),
    )
  }
  const expectNoRed = async () => expect(await readRed(page)).toEqual([])
  const goOn = () => main.getByRole('button', { name: 'Continue' }).click()
  await test.step('the sign-up leads to the first steps', async () => {
    await page.goto('/auth?mode=sign-up')
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill(GOOD_PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
    await done(page, 0)
    await expect(page.getByText('Add funds to start receiving leads')).toBeVisible()
    await expectNoRed()
    await steps(page).getByRole('link', { name: 'Begin' }).click()
    await expect(main.getByText('Step 1 of 6')).toBeVisible()
  })
  await test.step('the business and its licensed states are entered', async () => {
    await expectNoRed()
    await main.getByRole('button', { name: 'Save and continue' }).click()
    await expect(main.getByRole('alert')).toHaveCount(2)
    // Everything red now has a cause: the two fields that are empty.
    expect((await readRed(page)).filter(Boolean)).toEqual([
      'Business name is required',
      'Choose at least one state, or all',
    ])
    await main.getByRole('textbox', { name: 'Business name' }).fill('Example Agency')
    await main.getByRole('searchbox', { name: 'Search states' }).fill('tex')
    await main.getByRole('checkbox', { name: 'Texas' }).check()
    await main.getByRole('button', { name: 'Save and continue' }).click()
  })
  await test.step('an order is created', async () => {
    await atStep(2, 'Order leads')
    await main.getByRole('textbox', { name: 'Name', exact: true }).fill('My order')
    await main.getByRole('combobox', { name: 'Lead type' }).click()
    await page.getByRole('option', { name: type }).click()
    await main.getByRole('button', { name: 'Hours', exact: true }).click()
    await main.getByRole('radio', { name: 'At all hours' }).check()
    await expect(main.getByRole('switch', { name: 'Take leads at once' })).toBeChecked()
    await expect(main.getByRole('button', { name: 'Maximum age of a lead' })).toHaveAccessibleDescription(
      '15 minutes',
    )
    await expect(main.getByText('10 a day at $25: up to $1,750 a week')).toBeVisible()
    await expectNoRed()
    await main.getByRole('button', { name: 'Create order' }).click()
  })
  await test.step('a webhook for the CRM is created', async () => {
    await atStep(3, 'Add a webhook')
    await main.getByRole('textbox', { name: 'Webhook Name' }).fill('My CRM')
    await main.getByRole('textbox', { name: 'Endpoint URL' }).fill(`${crm}/webhooks/leads`)
    await dismissToasts(page)
    await main.getByRole('button', { name: 'Create', exact: true }).click()
    // The button is gone, so the page stands at its top, with the focus on the step.
    await expect(main.getByText('What your receiver needs')).toBeVisible()
    await expect(main.getByRole('heading', { level: 2, name: 'Add a webhook' })).toBeFocused()
    expect(await page.evaluate('scrollY')).toBe(0)
    await expectNoRed()
    await main.getByRole('button', { name: 'Send a test' }).click()
    await expect(main.getByText('Your endpoint answered 200.')).toBeVisible()
    await goOn()
  })
  await test.step('a test lead reaches the CRM, costs nothing, and its content is shown', async () => {
    await atStep(4, 'Send yourself a test lead')
    await main.getByRole('button', { name: 'Run Assignment Test' }).click()
    await expect(toast(page, /^Test lead created and assignment triggered/)).toBeVisible()
    await expect(main.getByRole('heading', { name: 'What your endpoint received' })).toBeVisible()
    await expect(main.getByText('Success · 200')).toBeVisible()
    await expectNoRed()
    await goOn()
  })
  await test.step('funds are requested', async () => {
    await atStep(5, 'Add funds')
    await main.getByRole('textbox', { name: 'Amount' }).fill('100')
    await main.getByRole('button', { name: 'Request funds' }).click()
    await expect(main.getByText('You asked for $100.00')).toBeVisible()
    await expect(main.getByText('Add funds to start', { exact: true })).toBeVisible()
    await expectNoRed()
    await goOn()
  })
  await test.step('the last step shows the request that the endpoint got', async () => {
    await expect(main.getByRole('heading', { level: 2, name: 'Your account is set up' })).toBeFocused()
    await expect(main.getByRole('tab', { name: 'Request', exact: true })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await expect(main.getByRole('tabpanel')).toContainText('"email": "test.lead.')
    await expect(
      main.getByText(/First an administrator approves your account, which waits since /),
    ).toBeVisible()
    await expectNoRed()
    await main.getByRole('link', { name: 'Go to the dashboard' }).click()
    await done(page, 4)
    await expect(steps(page).getByText('Asked for', { exact: true })).toBeVisible()
    await expect(steps(page).getByText('With us', { exact: true })).toBeVisible()
    await expect(main.getByRole('link', { name: /^Orders/ })).toHaveText('Orders1 active')
    await expectNoRed()
    for (const path of ['/orders', '/leads', '/settings?tab=billing', '/payment-required']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('status', { name: /Loading/ })).toHaveCount(0)
      expect([path, await readRed(page)]).toEqual([path, []])
    }
  })
  await test.step('funds are received, and the account is approved', async () => {
    const payment = await findForAdmin('payments', email)
    await callAsAdmin('POST', `/api/v1/admin/payments/${payment}/receive`, {})
    const [row] = await runSql('select user_id from profiles where email = $1', [email])
    await callAsAdmin('POST', `/api/v1/admin/clients/${String(row?.['user_id'])}/approve`, {})
    await page.goto('/dashboard')
    await expect(main.getByRole('region', { name: 'State', exact: true })).toContainText(
      'Ready for leads Nothing stands in the way',
    )
    await expect(steps(page), 'all are done').toHaveCount(0)
    await expectNoRed()
  })
  const lead = await test.step('the first lead is bought, and is in the CRM', async () => {
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
  await test.step('the lead is worked on and returned', async () => {
    await page.goto('/leads')
    await page.getByRole('link', { name: `Robin ${name}` }).click()
    await expect(main.getByText('$25.00')).toBeVisible()
    await expect(main.getByRole('listitem').filter({ hasText: 'Assigned to you' })).toBeVisible()
    await expect(main.getByText('Offered to clients')).toHaveCount(0)
    await expectNoRed()
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
  await test.step('the ledger shows every entry', async () => {
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
}
