import { expectSound } from '#tests/support/browser/accessibility.ts'
import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { expect, test } from '#tests/support/browser/browser.ts'
import { offerLead, runSql, signUpClient } from '#tests/support/browser/e2e-client.ts'

test('an administrator sees the day of the business, and what waits with the way to it', async ({ page }) => {
  const client = await signUpClient()
  // Other tests have clients that wait too; the lists show those that have waited longest.
  await runSql(
    `update client_accounts set status = 'onboarding', business_name = 'Oldest Agency', created_at = '2020-01-01' where user_id = $1`,
    [client.id],
  )
  const late = await runSql(
    `insert into late_leads (assignment_id, lead_id, client_user_id, lead_type, received_at, sold_at, planned_at, begun_at, parts,
       ours_ms, price, credit, reason, wait_until)
     values (uuid_v7(), uuid_v7(), $1, 'final_expense', '2020-01-01', '2020-01-01', '2020-01-01', '2020-01-01', '[]', 6000, 640,
       'waiting', 'daily_limit', '2099-01-01') returning assignment_id`,
    [client.id],
  )
  const type = `overview_${client.id.slice(-6)}`
  await runSql('insert into lead_types (code, label, price, floor_price) values ($1, $1, 25, 10)', [type])
  await client.call('POST', '/api/v1/orders', {
    name: 'Texas seniors',
    lead_type: type,
    timezone: 'America/Chicago',
    daily_cap: 5000,
    active: true,
  })
  await offerLead({ lead_type: type, name: 'Rosa Example', email: client.email, state: 'CA' })
  await becomeAdministrator(page)
  await page.goto('/admin')
  const today = page.getByRole('region', { name: 'Today' })
  const menu = page.getByRole('navigation', { name: 'Administration' })

  await test.step('six figures stand beside yesterday’s, each with a bar for each of 24 hours', async () => {
    for (const name of ['Revenue', 'Margin', 'Leads in', 'Sold', 'Unsold', 'Returned'])
      await expect(today.getByRole('img', { name: new RegExp(`^${name} in the last`) })).toBeVisible()
    await expect(today).toContainText('yesterday')
  })
  await test.step('health shows services, and two charts for an hour and a day, also as tables', async () => {
    const health = page.getByRole('region', { name: 'Health' })
    await expect(health).toContainText('PostgreSQL')
    await expect(health.getByRole('img', { name: /^First-attempt success, 24 h/ })).toBeVisible()
    await health.getByRole('button', { name: /^Show as table: Time to CRM, 1 h/ }).click()
    await expect(health.getByRole('table', { name: 'Time to CRM, 1 h' }).getByRole('row')).toHaveCount(13)
  })
  await test.step('the page has no accessibility fault and fits every size', async () => {
    await expectSound(page, 'Overview')
  })
  await test.step('a badge on the sidebar counts what waits', async () => {
    await expect(menu.getByRole('link', { name: /^Needs you .*waiting for you/ })).toBeVisible()
    await expect(menu.getByRole('link', { name: /^Clients .*waiting for you/ })).toBeVisible()
  })
  await test.step('the panel leads to the list, which names the client by its business', async () => {
    await page.getByRole('link', { name: /waits? for approval/ }).hover()
    await page.getByRole('link', { name: 'Show all' }).click()
    await expect(page.getByRole('heading', { name: 'Needs you', level: 1 })).toBeVisible()
    const approvals = page.getByRole('list', { name: /for approval$/ })
    await expect(approvals.getByRole('listitem').first()).toContainText('Oldest Agency')
    const credits = page.getByRole('list', { name: /late credits? waits? for the daily limit$/ })
    await expect(credits.getByRole('listitem').first()).toContainText('$640.00')
    await expect(page.getByRole('link', { name: 'Change the limit' })).toHaveAttribute(
      'href',
      '/admin/settings',
    )
    await expect(page.getByRole('heading', { name: 'Messages' })).toBeVisible()
    await expectSound(page, 'Needs you')
  })
  await test.step('once the client is approved, the entry is gone', async () => {
    await runSql('delete from late_leads where assignment_id = any($1)', [
      late.map((row) => row['assignment_id']),
    ])
    await runSql(`update client_accounts set status = 'active', created_at = now() where user_id = $1`, [
      client.id,
    ])
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Needs you', level: 1 })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open leads' })).toBeVisible()
    const approvals = page.getByRole('list', { name: /for approval$/ })
    await expect(approvals.filter({ hasText: 'Oldest Agency' })).toHaveCount(0)
  })
  await test.step('the button of a card leads to where it is done', async () => {
    await page.getByRole('link', { name: 'Open leads' }).click()
    await expect(page).toHaveURL('/admin/leads?outcome=no_buyer')
  })
})
