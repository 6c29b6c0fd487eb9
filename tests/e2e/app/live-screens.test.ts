import type { BrowserContext, Page, Request } from '@playwright/test'
import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'
import { expect, test, testApart } from '#tests/support/browser/browser.ts'
import { runSql, signUpClient, type E2eClient } from '#tests/support/browser/e2e-client.ts'

const STREAM = '/api/v1/changes'
const HEALTH = '/api/v1/webhook-configs/health'
/**
 * Less than the minute after which a screen with a stream refreshes by itself, and enough for a busy machine. A screen
 * whose stream ends would poll sooner, and open another stream, which the tests count.
 */
const TOLD_MS = 30_000

const pathOf = (request: Request) => new URL(request.url()).pathname

/** Records the pages that open a stream. */
function noteStreams(context: BrowserContext): Page[] {
  const streams: Page[] = []
  context.on('request', (request) => {
    if (pathOf(request) === STREAM) streams.push(request.frame().page())
  })
  return streams
}

/** Records the API paths that a page requests, except its stream. */
function noteAsked(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const path = pathOf(request)
    if (path.startsWith('/api/v1/') && path !== STREAM) asked.push(path)
  })
  return asked
}

test('tabs of one browser share a stream; when the tab that holds it leaves the app, another tab takes over', async ({
  page,
  context,
  client,
}) => {
  const streams = noteStreams(context)
  await page.goto('/leads')
  await expect.poll(() => streams.length).toBe(1)
  const second = await context.newPage()
  await second.goto('/leads')
  await expect(second.getByText('No leads yet')).toBeVisible()
  await client.receiveLeads([{ name: 'Robin First', phone: '+15125550143' }])
  for (const tab of [page, second])
    await expect(tab.getByRole('link', { name: 'Robin First' })).toBeVisible({ timeout: TOLD_MS })
  expect(streams).toEqual([page])

  await page.goto('about:blank')
  await expect.poll(() => streams).toEqual([page, second])
  await client.receiveLeads([{ name: 'Robin Second', phone: '+15125550144' }])
  await expect(second.getByRole('link', { name: 'Robin Second' })).toBeVisible({ timeout: TOLD_MS })
  expect(streams).toEqual([page, second])
  await second.close()
})

test('the balance and the count of unread leads follow on a screen that has no data of its own', async ({
  page,
  context,
  client,
}) => {
  const streams = noteStreams(context)
  await page.goto('/help')
  const menu = page.getByRole('complementary')
  const balance = menu.getByRole('link', { name: /^Balance/ })
  await expect(balance).toContainText('$0.00')
  await client.receiveLeads([{ name: 'Robin Unread', phone: '+15125550146' }])
  await expect(menu.getByRole('link', { name: 'Leads 1 unread' })).toBeVisible({ timeout: TOLD_MS })
  await runSql(
    "insert into balance_ledger (client_user_id, entry_type, amount) select user_id, 'top_up', 40 from profiles where email = $1",
    [client.email],
  )
  await expect(balance).toContainText('$40.00', { timeout: TOLD_MS })
  expect(streams).toEqual([page])
})

test('a screen requests nothing while its client’s data does not change, even if other clients’ data does', async ({
  page,
  client,
}) => {
  const busy = await startReceiver({ status: 429, headers: { 'retry-after': '3600' } })
  const open = await startReceiver()
  await client.addWebhook({ webhook_name: 'Busy CRM', endpoint_url: busy.url })
  await client.receiveLeads([{ name: 'Robin Waiting', phone: '+15125550143' }])
  const readHealth = async (of: E2eClient) =>
    (await of.call<{ data: EndpointHealth[] }>('GET', HEALTH)).data[0]?.last_status
  await expect.poll(() => readHealth(client)).toBe(429)

  const asked = noteAsked(page)
  const count = () => asked.filter((path) => path === HEALTH).length
  await page.goto('/client-integrations?view=configure')
  // An event is pending, so answers from before the stream may already be stale.
  await expect.poll(count).toBe(2)
  const other = await signUpClient()
  await other.addWebhook({ webhook_name: 'Open CRM', endpoint_url: open.url })
  for (const name of ['Robin One', 'Robin Two', 'Robin Three']) {
    await other.receiveLeads([{ name, phone: '+15125550144' }])
  }
  await open.waitForCount(3)
  await expect.poll(() => readHealth(other)).toBe(200)
  expect(count()).toBe(2)
  await client.receiveLeads([{ name: 'Robin Waiting, too', phone: '+15125550145' }])
  await expect.poll(count).toBeGreaterThan(2)
  for (const receiver of [busy, open]) await receiver.close()
})

testApart('without a stream, screens poll by themselves', async ({ page, client }) => {
  await page.route(`**${STREAM}`, (route) => route.abort())
  await page.goto('/leads')
  await expect(page.getByText('No leads yet')).toBeVisible()
  await client.receiveLeads([{ name: 'Robin Late', phone: '+15125550143' }])
  await expect(page.getByRole('link', { name: 'Robin Late' })).toBeVisible({ timeout: 30_000 })
})
