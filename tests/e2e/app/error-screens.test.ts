import type { Page } from '@playwright/test'
import { expect, holdRequests, test } from '#tests/support/browser/browser.ts'

const LEADS_SCREEN = /\/assets\/LeadsPage-[^/]*\.js$/
const SHELL = /\/assets\/shell-[^/]*\.js$/

interface Report {
  errorId: string
  message: string
  stack: string
  timestamp: string
  url: string
  userAgent: string
}

/** Waits for the next failure report on the console. */
async function nextReport(page: Page, level: string): Promise<Report> {
  const message = await page.waitForEvent('console', (entry) =>
    entry.text().startsWith(`Leadwire ${level} failure`),
  )
  return (await message.args()[1]?.jsonValue()) as Report
}

async function expectReport(page: Page, report: Report, path: string) {
  await expect(page.getByText(report.errorId, { exact: true })).toBeVisible()
  expect(report.message).not.toBe('')
  expect(report.stack).toContain('Error')
  expect(Math.abs(Date.now() - Date.parse(report.timestamp))).toBeLessThan(60_000)
  expect(new URL(report.url).pathname).toBe(path)
  const userAgent = await page.evaluate<string>('navigator.userAgent')
  expect(report.userAgent).toBe(userAgent.slice(0, 100))
}

test('a section that fails shows an error while the rest of the app works, and an outdated one reloads once (checks 15, 30)', async ({
  page,
  faults,
}) => {
  await test.step('a screen of an earlier build appears after one reload', async () => {
    await page.route(LEADS_SCREEN, (route) => route.abort(), { times: 1 })
    await page.goto('/client-integrations')
    await page.evaluate('window.isOfBefore = true')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
    expect(await page.evaluate('"isOfBefore" in window')).toBe(false)
    await page.evaluate('sessionStorage.clear()')
  })
  await page.route(LEADS_SCREEN, (route) => route.abort())
  await page.goto('/client-integrations')
  const reported = nextReport(page, 'section')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click()

  await test.step('the section error has its texts, buttons and report', async () => {
    const alert = page.getByRole('alert')
    await expect(alert.getByRole('heading')).toHaveText('Something went wrong')
    await expect(
      alert.getByText(
        'This section encountered an error. You can try again or continue using other parts of the app.',
        { exact: true },
      ),
    ).toBeVisible()
    await expect(alert.getByRole('button')).toHaveText(['Try Again', 'Go Home', ''])
    await expect(page.getByRole('complementary', { name: 'Sidebar' })).toBeVisible()
    await expectReport(page, await reported, '/leads')
  })
  await test.step('Go Home leads to /, where a signed-in user finds a link to the dashboard', async () => {
    await page.getByRole('button', { name: 'Go Home' }).click()
    await page.getByRole('banner').getByRole('link', { name: 'Go to dashboard' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  })
  await test.step('Try Again shows the section once it works again', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click()
    await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
    await page.unroute(LEADS_SCREEN)
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  })
  expect(takeOut(faults, 'Leadwire section failure')).toBeGreaterThan(0)
})

test('an app that fails shows an error, and reloads', async ({ page, faults }) => {
  await page.route(SHELL, (route) => route.abort())
  const reported = nextReport(page, 'application')
  await page.goto('/leads')
  await test.step('the app error has its texts, buttons and report', async () => {
    const alert = page.getByRole('alert')
    await expect(alert.getByRole('heading')).toHaveText('Application Error')
    await expect(
      alert.getByText('The application encountered an unexpected error. Please try refreshing the page.', {
        exact: true,
      }),
    ).toBeVisible()
    await expect(alert.getByRole('button')).toHaveText(['Try Again', 'Reload App', ''])
    await expectReport(page, await reported, '/leads')
  })
  for (const button of ['Try Again', 'Reload App']) {
    await test.step(`${button} shows the app again once it works`, async () => {
      await page.unroute(SHELL)
      await page.getByRole('button', { name: button }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
      await page.route(SHELL, (route) => route.abort())
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Application Error' })).toBeVisible()
    })
  }
  expect(takeOut(faults, 'Leadwire application failure')).toBeGreaterThan(0)
})

test('if the error screen itself fails, a last screen leads back', async ({ page }) => {
  // The session has begun, and its event has its id.
  await page.goto('/leads')
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  await page.route(SHELL, async (route) => {
    // Without randomUUID a report gets no id.
    await page.evaluate('crypto.randomUUID = undefined')
    await route.abort()
  })
  await page.goto('/leads')
  await expect(page.getByRole('alert').getByRole('heading')).toHaveText('Unexpected Application Error!')
  await page.unroute(SHELL)
  await page.getByRole('link', { name: 'Open Leadwire again' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('while a screen loads, the skeleton of a page or of a single card shows', async ({ page }) => {
  const skeleton = page.getByRole('status', { name: 'Loading', exact: true })
  await test.step('the skeleton of a page has a title bar and six cards', async () => {
    const release = await holdRequests(page, LEADS_SCREEN)
    await page.goto('/leads')
    await expect(skeleton.locator(':scope > *')).toHaveCount(2)
    await expect(skeleton.locator(':scope > :last-child > *')).toHaveCount(6)
    await release()
    await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  })
  await test.step('the skeleton of any other screen is a single card', async () => {
    const release = await holdRequests(page, SHELL)
    await page.goto('/leads')
    await expect(skeleton.locator(':scope > *')).toHaveCount(1)
    await release()
    await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  })
})

test('an unknown path shows the not-found page with status 404, within the app for a signed-in user', async ({
  page,
}) => {
  const navigation = page.getByRole('navigation', { name: 'Main' })
  for (const path of ['/no-such-page', '/leads/1/2', '/client-integrations/extra']) {
    const response = await page.goto(path)
    expect(response?.status()).toBe(404)
    await expect(navigation.getByRole('link', { name: 'Leads' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
    await expect(page.getByText(path, { exact: true })).toBeVisible()
  }
  await page.getByRole('link', { name: 'Go to your dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
  await page.evaluate('localStorage.clear()')
  await page.goto('/no-such-page')
  await expect(navigation).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to homepage' }).click()
  await expect(page).toHaveURL((url) => url.pathname === '/')
  for (const path of ['/', '/auth', '/leads', '/client-integrations', '/dashboard'])
    expect((await page.request.get(path)).status()).toBe(200)
})

/** Removes the faults that this test provoked and returns their number. */
function takeOut(faults: string[], text: string): number {
  const others = faults.filter((fault) => !fault.includes(text))
  const taken = faults.length - others.length
  faults.splice(0, faults.length, ...others)
  return taken
}
