import type { Page } from '@playwright/test'
import { startReceiver } from '#scripts/lab/receiver/start-receiver.ts'
import { findFaults } from '#scripts/look/find-faults.ts'
import { expectToFitAnySize } from '#tests/support/browser/any-size.ts'
import { becomeAdministrator } from '#tests/support/browser/become-administrator.ts'
import { expect, failRequests, holdRequests, test } from '#tests/support/browser/browser.ts'
import { signUpClient } from '#tests/support/browser/e2e-client.ts'

const WAITS = '**/api/v1/admin/waits'
const WAITS_OF = '**/api/v1/admin/waits/*'
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

const table = (page: Page) => page.getByRole('table', { name: 'Who is waiting' })

const counts = {
  waiting: 2400,
  more_waiting: false,
  oldest_due_at: new Date(Date.now() - 240_000).toISOString(),
  in_flight: 12,
  later: 30,
  more_later: false,
  held: 0,
  more_held: false,
}

/** Answers the page in place of the server, to show one state of the card. */
async function answer(page: Page, url: string, json: unknown): Promise<void> {
  await page.route(url, (route) => route.fulfill({ json }))
}

test('an administrator sees which client waits behind an endpoint that never answered, and why', async ({
  page,
}) => {
  const receiver = await startReceiver('hang')
  const client = await signUpClient()
  const webhook = await client.addWebhook({ webhook_name: 'Silent CRM', endpoint_url: receiver.url })
  await client.receiveLeads(
    Array.from({ length: 6 }, (_, index) => ({ name: `Lead ${index}`, phone: '+12025550143', state: 'CA' })),
  )
  await receiver.waitForCount(2)
  await becomeAdministrator(page)
  await page.goto('/admin/deliveries')

  const opener = table(page).getByRole('button', { name: client.name })
  await expect(opener).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByText(/\d+ workers? running/)).toBeVisible()
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(opener).toHaveAttribute('aria-expanded', 'true')
  const line = table(page).getByRole('row').filter({ hasText: 'Silent CRM' })
  await expect(line).toContainText(/never answered, and \d requests to it are under way|endpoint is slow/)
  await page.keyboard.press('Enter')
  await expect(line).toHaveCount(0)

  await client.call('DELETE', `/api/v1/webhook-configs/${webhook}`)
  await receiver.close()
})

test('the card says when nobody waits, keeps its shape while it loads, and can be loaded again', async ({
  page,
}) => {
  await becomeAdministrator(page)
  const failing = await failRequests(page, WAITS)
  await page.goto('/admin/deliveries')
  const failure = page.getByRole('alert').filter({ hasText: 'Who is waiting could not be loaded.' })
  await expect(failure).toBeVisible()
  await failing.end()
  await answer(page, WAITS, { data: [], clients: 0, workers: { count: 1, slots: 100 } })
  await failure.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('Nobody is waiting')).toBeVisible()
  await expect(page.getByText('1 worker running')).toBeVisible()

  const row = { ...counts, client: { user_id: crypto.randomUUID(), name: 'Ada', email: 'ada@example.com' } }
  await page.unroute(WAITS)
  await answer(page, WAITS, {
    data: [{ ...row, in_flight: 140 }],
    clients: 1,
    workers: { count: 1, slots: 100 },
  })
  await page.reload()
  // Deliveries that a worker has yet to record are in flight and hold no slot.
  await expect(table(page).getByRole('cell', { name: '100%', exact: true })).toBeVisible()
  await page.unroute(WAITS)
  await answer(page, WAITS, { data: [row], clients: 1, workers: null })
  await page.reload()
  await expect(page.getByText('1 client · workers not known')).toBeVisible()
  const release = await holdRequests(page, WAITS_OF)
  await table(page).getByRole('button', { name: 'Ada' }).click()
  await expect(table(page).getByRole('status', { name: 'Loading' })).toBeVisible()
  await release()
  await expect(table(page).getByText('Nothing of this client waits any more.')).toBeVisible()
  await page.unroute(WAITS)
})

test('the card fits a phone and a desk in both themes, with long names and reasons', async ({ page }) => {
  const user = crypto.randomUUID()
  const long = 'Maximiliana Featherstonehaugh-Cholmondeley '.repeat(3).trim()
  const endpoint = (name: string, reason: { code: string; until?: string; sentence: string }) => ({
    ...counts,
    webhook_config_id: crypto.randomUUID(),
    webhook_name: name,
    endpoint_host: 'crm.a-rather-long-host-name.example.com:8443',
    standing: 'slow',
    reason: { until: null, ...reason },
  })
  await answer(page, WAITS, {
    data: [
      { ...counts, client: { user_id: user, name: long, email: 'long@example.com' }, more_waiting: true },
      { ...counts, client: { user_id: crypto.randomUUID(), name: 'Ben', email: 'ben@example.com' } },
    ],
    clients: 2,
    workers: { count: 2, slots: 200 },
  })
  await answer(page, WAITS_OF, {
    data: [
      endpoint(long, {
        code: 'endpoint_new',
        sentence:
          'The endpoint has never answered, and 2 requests to it are under way. It waits for the first answer.',
      }),
      endpoint('Dialer', {
        code: 'breaker_open',
        until: new Date(Date.now() + 90_000).toISOString(),
        sentence: 'The endpoint does not answer. It is held until a single try gets an answer.',
      }),
    ],
  })
  const letter = (name: string, reason: string) => ({
    id: crypto.randomUUID(),
    failed_at: new Date(Date.now() - 240_000).toISOString(),
    attempts: 8,
    reason,
    message: '503 Service Unavailable: your endpoint reported an error of its own.',
    endpoint_host: 'crm.a-rather-long-host-name.example.com:8443',
    webhook_config_id: crypto.randomUUID(),
    webhook_name: name,
    is_active: false,
    client: { user_id: user, name, email: 'long@example.com' },
    lead_id: crypto.randomUUID(),
    event_id: crypto.randomUUID(),
    event_type: 'lead.assigned',
  })
  await answer(page, '**/api/v1/admin/dead-letters?*', {
    data: [letter(long, 'blocked_address'), letter('Dialer', 'http_5xx')],
    next_cursor: null,
  })
  await becomeAdministrator(page)
  await page.goto('/admin/deliveries')
  await expect(page.getByRole('table', { name: 'Dead letters' }).getByRole('row')).toHaveCount(3)
  await table(page).getByRole('button', { name: 'Maximiliana' }).click()
  await expectToFitAnySize(page, 'who is waiting')
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expect(table(page).getByText('Next try:')).toBeVisible()
      expect(await findFaults(page)).toEqual([])
    }
  }
  await page.unroute(WAITS)
  await page.unroute(WAITS_OF)
})
