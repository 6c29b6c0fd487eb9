import type { Page } from '@playwright/test'
import { expect, testApart } from '#tests/support/browser/browser.ts'

const LIST = '**/api/v1/leads?limit=25*'

/** Records the delay of each timer that the page starts. */
const NOTE_PAUSES = `{
  window.pauses = []
  const begin = window.setTimeout
  window.setTimeout = (act, pause, ...given) => {
    window.pauses.push(pause)
    return begin(act, pause, ...given)
  }
}`

function countRequests(page: Page, matches: (url: URL) => boolean) {
  let count = 0
  page.on('request', (request) => {
    if (matches(new URL(request.url()))) count += 1
  })
  return () => count
}

const isList = ({ pathname, searchParams }: URL) =>
  pathname === '/api/v1/leads' && searchParams.get('limit') === '25'

testApart('a failed request is retried three times, after 1, 2 and 4 seconds', async ({ page }) => {
  const times: number[] = []
  await page.route(LIST, async (route) => {
    times.push(Date.now())
    await route.fulfill({ status: 503, contentType: 'text/plain', body: 'down' })
  })
  await page.addInitScript(NOTE_PAUSES)
  await page.goto('/leads')
  await expect(page.getByRole('status', { name: 'Loading leads' })).toBeVisible()
  await expect(page.getByText('Still waiting for leads: the server or the line is slow.')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('The leads could not be loaded.', { timeout: 20_000 })
  const waits = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000)
  expect(waits).toHaveLength(3)
  for (const [index, wait] of waits.entries()) {
    expect(wait).toBeGreaterThan(2 ** index - 0.05)
  }
  // The recorded delays prove an upper bound too, however slow the machine is.
  const pauses = await page.evaluate<number[]>('window.pauses')
  expect(pauses.filter((pause) => [1000, 2000, 4000, 8000].includes(pause))).toEqual([1000, 2000, 4000])
  await page.unroute(LIST)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('No leads yet')).toBeVisible()
})

testApart('a refused request is not retried', async ({ page }) => {
  await page.clock.install()
  const asked = countRequests(page, ({ pathname }) => pathname.startsWith('/api/v1/leads/'))
  await page.goto('/leads/00000000-0000-4000-8000-000000000000')
  await expect(page.getByRole('heading', { name: 'Lead not found' })).toBeVisible()
  await page.clock.fastForward(60_000)
  await expect(page.getByRole('heading', { name: 'Lead not found' })).toBeVisible()
  expect(asked()).toBe(1)
})

testApart(
  'data is fresh for 30 s, and is fetched again on reconnect but not on focus',
  async ({ page, context }) => {
    await page.clock.install()
    const asked = countRequests(page, isList)
    const navigation = page.getByRole('navigation', { name: 'Main' })
    const visitLeads = async () => {
      await navigation.getByRole('link', { name: 'Integrations' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Integrations' })).toBeVisible()
      await navigation.getByRole('link', { name: 'Leads' }).click()
      await expect(page.getByText('No leads yet')).toBeVisible()
    }
    await page.goto('/leads')
    await expect(page.getByText('No leads yet')).toBeVisible()
    await visitLeads()
    expect(asked()).toBe(1)
    await page.clock.fastForward(31_000)
    const answered = page.waitForResponse(LIST)
    await visitLeads()
    // Data ages from its answer, not from its request.
    await (await answered).finished()
    expect(asked()).toBe(2)

    // From here on no minute ends, after which an open page refreshes by itself.
    const shown = page.waitForResponse(LIST)
    await page.reload()
    await (await shown).finished()
    await expect(page.getByText('No leads yet')).toBeVisible()
    await page.clock.fastForward(31_000)
    await page.evaluate(`window.dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange'))`)
    await context.setOffline(true)
    await context.setOffline(false)
    await expect.poll(asked).toBe(4)
    await page.clock.runFor(5_000)
    expect(asked()).toBe(4)
  },
)

testApart(
  'offline, a strip tells the age of the data, buttons say why they cannot send, and the return is announced (check 25)',
  async ({ page, context, client }) => {
    await client.receiveLeads([{ name: 'Robin Sample', phone: '+15125550144', state: 'TX' }])
    const posted: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() !== 'GET' && pathname.startsWith('/api/v1')) posted.push(pathname)
    })
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await page.goto('/leads')
    await expect(page.getByRole('link', { name: 'Robin Sample' })).toBeVisible()
    await navigation.getByRole('link', { name: 'Integrations' }).click()
    const run = page.getByRole('button', { name: 'Run Assignment Test' })
    await expect(run).toBeVisible()
    await context.setOffline(true)
    await expect(page.getByText(/^You are offline\. Showing data from \d{1,2}:\d{2} [AP]M\./)).toBeVisible()
    await expect(run).toHaveAccessibleDescription('You are offline. This works again once you are back.')
    await run.focus()
    await page.keyboard.press('Enter')
    await run.click({ force: true })
    await expect(page.getByRole('button', { name: 'Running...' })).toHaveCount(0)
    await page.getByRole('combobox', { name: 'Search leads' }).fill('Robin')
    await expect(page.getByRole('banner')).toContainText(
      'You are offline. This works again once you are back.',
    )
    await navigation.getByRole('link', { name: 'Analytics', exact: true }).click()
    // Shown at once: there is nothing to wait for.
    await expect(
      page.getByText('You are offline. Leadwire asks for this page once you are back.'),
    ).toBeVisible({ timeout: 1500 })
    await navigation.getByRole('link', { name: 'Leads' }).click()
    await expect(page.getByRole('link', { name: 'Robin Sample' })).toBeVisible()
    const fetchedAgain = page.waitForResponse(LIST)
    await context.setOffline(false)
    await expect(page.getByText('Back online')).toBeVisible()
    await expect(page.getByText(/^You are offline\. Showing/)).toHaveCount(0)
    await (await fetchedAgain).finished()
    expect(posted).toEqual([])
  },
)
