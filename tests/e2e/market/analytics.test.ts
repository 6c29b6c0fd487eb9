import { readFile } from 'node:fs/promises'
import { findFaults } from '#scripts/look/find-faults.ts'
import { expectSound } from '#tests/support/browser/accessibility.ts'
import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { expect, test } from '#tests/support/browser/browser.ts'
import { runSql } from '#tests/support/browser/e2e-client.ts'

test('a client reads the costs and results of leads, filters them, and downloads them', async ({
  page,
  client,
}) => {
  await page.goto('/analytics')
  await expect(page.getByText('No leads in this period')).toBeVisible()

  const ids = await client.receiveLeads([
    { name: 'Robin Sample', email: 'robin@example.com', state: 'TX' },
    { name: 'Jamie Sample', email: 'jamie@example.com', state: 'TX' },
    { name: 'Kim Sample', email: 'kim@example.com', state: 'CA' },
  ])
  await runSql('update leads set price_charged = 25 where id = any($1)', [ids])
  await runSql("update leads set created_at = created_at - interval '2 days' where id = $1", [ids[2]])
  await runSql("update lead_assignments set disposition = 'sold' where lead_id = $1", [ids[0]])
  await page.reload()
  const figure = (label: string) =>
    page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) })
  await expect(figure('Leads received')).toContainText('3')
  await expect(figure('Spend')).toContainText('$75.00')
  await expect(figure('Cost per sale')).toContainText('$75.00')
  await expect(figure('Cost per sale')).toContainText('Sold rate 33.3%')
  await expect(figure('Leads received')).toContainText('Up from none')
  await expect(page.getByText(/^Compared with .*, until the same time of the day$/)).toBeVisible()
  await expect(
    page.getByRole('img', { name: /^Leads by day: 3 leads in 3 days, most on .* with 2$/ }),
  ).toBeVisible()
  await expect(page.getByText('27 days without leads left out')).toBeVisible()
  await expect(page.getByRole('meter', { name: 'Sold' })).toHaveAttribute('aria-valuetext', '1 · 33%')
  await expectSound(page, 'the figures')

  // Revenue is shown once a CRM has reported some.
  await expect(page.getByRole('columnheader', { name: 'Revenue' })).toHaveCount(0)
  await runSql(
    `insert into lead_outcomes (lead_id, assignment_id, client_user_id, webhook_config_id, outcome, amount)
     select lead_id, id, client_user_id, gen_random_uuid(), 'sold', 1200 from lead_assignments where lead_id = $1`,
    [ids[0]],
  )
  await page.reload()
  await expect(figure('Cost per sale')).toContainText('Revenue $1,200.00')
  await expect(figure('Cost per sale')).toContainText('Return on spend 16×')
  for (const group of ['state', 'type', 'source'])
    await expect(page.getByRole('table', { name: `Leads by ${group}` })).toContainText('$1,200.00')

  const days = page.getByRole('table', { name: 'Leads by day' })
  await expect(days.getByRole('row')).toHaveCount(4)
  await page.getByText('What these figures mean').click()
  await expect(page.getByText('Approved returns ÷ leads received.')).toBeVisible()
  await page.emulateMedia({ colorScheme: 'dark' })
  expect.soft(await findFaults(page, 'colours'), 'dark').toEqual([])

  // The same again, a month earlier.
  const earlier = await client.receiveLeads([
    { name: 'Lee Sample', email: 'lee@example.com', state: 'NY' },
    { name: 'Pat Sample', email: 'pat@example.com', state: 'NY' },
  ])
  await runSql(
    "update leads set price_charged = 20, created_at = created_at - interval '31 days' where id = any($1)",
    [earlier],
  )
  await page.reload()
  await expect(figure('Leads received')).toContainText('Up 50% from 2')
  await expect(figure('Spend')).toContainText('Up 88% from $40.00')
  await expect(figure('Cost per sale')).toContainText('None before')

  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await readFile(await (await saving).path(), 'utf8')
  expect(file).toContain('State,TX,2,50.00')

  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'California' }).click()
  await expect(figure('Leads received')).toContainText('1')
  await expect(page).toHaveURL(/state=CA/)
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'Custom dates' }).click()
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2020-12-31')
  await expect(page.getByText('No leads in this period')).toBeVisible()
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'Last 7 days' }).click()
  await page
    .getByRole('table', { name: 'Leads by state' })
    .getByRole('link', { name: /California/ })
    .click()
  await expect(page.getByRole('table', { name: 'Leads' }).getByRole('row')).toHaveCount(2)
  await page.goBack()
  await expect(figure('Leads received')).toContainText('1')
})

test('an administrator reads where the figures of all clients are', async ({ page, client }) => {
  await becomeAdministrator(page)
  await client.receiveLeads([{ name: 'Robin Sample', email: 'robin@example.com', state: 'TX' }])
  await page.goto('/analytics')
  const main = page.getByRole('main')
  await expect(main.getByText('Administrators buy no leads')).toBeVisible()
  await expect(main.getByText('No leads in this period')).toHaveCount(0)
  await main.getByRole('link', { name: 'Revenue' }).click()
  await expect(page.getByRole('tab', { name: 'Revenue', selected: true })).toBeVisible()
})
