import { readFile } from 'node:fs/promises'
import { expect, test } from '#tests/support/browser/browser.ts'
import { expectSound } from '#tests/support/browser/accessibility.ts'
import { runSql } from '#tests/support/browser/e2e-client.ts'

const LEADS = 6000

test('a long list is exported in the background: progress, download, try again, delete', async ({
  page,
  client,
}) => {
  await runSql(
    `insert into leads (user_id, name, lead_type, state)
      select $1::uuid, 'Sample ' || i, 'final_expense', 'TX' from generate_series(1, $2::int) i`,
    [client.id, LEADS],
  )
  await page.goto('/leads?state=TX')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your exports' })
  const rows = dialog.getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(/LeadsReady.*State TX6,000 rows · \d+ KB · kept until /)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toMatch(/^leads-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^\uFEFFLead id,Received,Name,/)
  expect(new Set(lines.slice(1).map((line) => line.split(',')[2])).size).toBe(LEADS)

  // Another worker is making one, and one has failed.
  const others = `insert into exports (account_id, asked_by, kind, filters, state, rows_done, rows_all, lease_until, failure, finished_at, file_name)
    values ($1::uuid, $1::uuid, 'leads', '{"search": "rosa", "is_test": "false", "sort": "name"}', 'running', 12500, 80000, now() + interval '1 hour', null, null, $1::text || '/a.csv'),
      ($1::uuid, $1::uuid, 'leads', '{"state": "CA"}', 'failed', 0, null, null, 'no_room', now(), $1::text || '/b.csv')`
  await runSql(others, [client.id])
  await page.goto('/leads?exports=open')
  const running = rows.filter({ hasText: 'Being made' })
  await expect(running).toContainText('“rosa”, without test leads')
  const bar = running.getByRole('progressbar', { name: 'Rows written' })
  await expect(bar).toHaveAttribute('aria-valuetext', '12,500 of 80,000 rows')
  await runSql(`update exports set rows_done = 60000 where account_id = $1 and state = 'running'`, [
    client.id,
  ])
  await expect(bar).toHaveAttribute('aria-valuetext', '60,000 of 80,000 rows')
  await expectSound(page, 'exports')
  await running.getByRole('button', { name: 'Cancel' }).click()
  await expect(rows).toHaveCount(2)
  const failed = rows.filter({ hasText: 'State CA' })
  await expect(failed).toContainText('The server had no room for the file.')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toContainText(/Ready.*0 rows/)
  await expect(rows).toHaveCount(2)
  for (const left of [1, 0]) {
    await dialog.getByRole('button', { name: 'Delete' }).first().click()
    await expect(rows).toHaveCount(left)
  }
  await expect(dialog).toContainText('No exports yet')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/leads$/)
})
