import { expect, SIGNED_OUT, test, toast } from '#tests/support/browser/browser.ts'
import { runSql } from '#tests/support/browser/e2e-client.ts'
import { readEnvironment } from '#tests/support/browser/e2e-environment.ts'
import { openLogs } from '#tests/support/browser/integrations-page.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'

test.use({ reducedMotion: 'no-preference' })

const TEST_STARTED = 'Test lead created and assignment triggered... Check Leads and Webhook Logs.'

test.describe('the demo client', () => {
  test.use({ session: SIGNED_OUT })

  test('finds a test lead in the sample CRM, and in the logs as Success 200, within five seconds', async ({
    page,
    context,
  }) => {
    const { demo, crm } = readEnvironment()
    await page.goto('/auth')
    await page.getByRole('textbox', { name: 'Email' }).fill(demo.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(demo.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Integrations' }).click()

    await page.getByRole('button', { name: 'Run Assignment Test' }).click()
    await expect(toast(page, TEST_STARTED)).toBeVisible()
    await page.getByRole('button', { name: 'Configure Webhooks' }).click()
    await expect(page.getByRole('row').filter({ hasText: 'Sample CRM' })).toHaveCount(1)
    const logs = await openLogs(page, 'Sample CRM')
    const row = logs.getByRole('row').filter({ hasText: 'Test Lead' })
    await expect(row).toHaveCount(1)
    await expect(row.getByRole('cell').nth(1)).toHaveText('Success')
    await expect(row.getByRole('cell').nth(2)).toHaveText('200')
    await expect(row.getByRole('cell').nth(3)).toHaveText('1')
    const email = /test\.lead\.[0-9a-f]+@example\.com/.exec(await row.innerText())?.[0] ?? 'no email'
    // Measured by PostgreSQL's clock, because the browser's time to open two dialogs does not count.
    const [delivered] = await runSql(
      `select extract(epoch from told.created_at - lead.created_at)::float as seconds
       from leads lead join events told on told.lead_id = lead.id and told.type = 'delivery.succeeded'
       where lead.email = $1`,
      [email],
    )
    expect(delivered?.['seconds']).toBeLessThan(5)

    const crmPage = await context.newPage()
    await crmPage.goto(crm)
    const received = crmPage.getByRole('listitem').filter({ hasText: email }).first()
    await expect(received).toContainText('Test Lead')
    await expect(received).toContainText('lead.assigned')
    await expect(received).toContainText('verified')
  })
})

test('the log of a receiver that fails twice and then succeeds shows Failed, Failed, Success with attempts 1, 2, 3', async ({
  page,
  client,
}) => {
  const receiver = await startReceiver((_request, index) => (index < 2 ? 500 : 200))
  try {
    await client.addWebhook({ webhook_name: 'Shaky CRM', endpoint_url: `${receiver.url}/leads` })
    await page.goto('/client-integrations')
    await page.getByRole('button', { name: 'Run Assignment Test' }).click()
    await expect(toast(page, TEST_STARTED)).toBeVisible()
    await page.getByRole('button', { name: 'Configure Webhooks' }).click()
    const logs = await openLogs(page, 'Shaky CRM')
    const rows = logs.getByRole('table').getByRole('row')
    await expect(rows).toHaveCount(4, { timeout: 15_000 })
    const oldestFirst = [3, 2, 1]
    const expected = [
      ['Failed', '500', '1'],
      ['Failed', '500', '2'],
      ['Success', '200', '3'],
    ]
    for (const [index, [status = '', code = '', attempt = '']] of expected.entries()) {
      const cells = rows.nth(oldestFirst[index] ?? 0).getByRole('cell')
      await expect(cells.nth(1)).toContainText(status)
      await expect(cells.nth(2)).toHaveText(code)
      await expect(cells.nth(3)).toHaveText(attempt)
      await expect(cells.nth(4)).toHaveText(/^\d+ ms$/)
    }
    await expect(rows.nth(3).getByRole('cell').nth(6)).toContainText('500')
    await expect(rows.nth(1).getByRole('cell').nth(6)).toHaveText('None')

    const [first, second, third] = receiver.requests
    const waits = [second?.receivedAt ?? 0, third?.receivedAt ?? 0].map(
      (at, index) => at - ([first, second][index]?.receivedAt ?? 0),
    )
    for (const wait of waits) expect(wait).toBeGreaterThan(900)
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  } finally {
    await receiver.close()
  }
})
