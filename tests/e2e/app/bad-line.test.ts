import type { Browser, Page } from '@playwright/test'
import { beginSession, expect, test, testApart } from '#tests/support/browser/browser.ts'
import { readEnvironment } from '#tests/support/browser/e2e-environment.ts'
import { openConfigurations, openCreateDialog, openGroup } from '#tests/support/browser/integrations-page.ts'

/** Breaks the first request for each matching file; returns the requests, in order. */
async function breakFirst(page: Page, files: RegExp): Promise<string[]> {
  const asked: string[] = []
  const broken = new Set<string>()
  await page.route(files, async (route) => {
    const request = route.request()
    asked.push(request.resourceType())
    if (broken.has(request.url())) return route.fallback()
    broken.add(request.url())
    return route.abort()
  })
  return asked
}

/** The part itself, and a file that it imports. */
for (const file of ['WebhookDialog', 'WebhookForm'])
  test(`a dialog whose ${file} failed to load in advance opens at a press, and is imported only when all of its files are there`, async ({
    page,
  }) => {
    const asked = await breakFirst(page, new RegExp(`/assets/${file}-[^/]*\\.js$`))
    // After a failed file the app asks which build the server has.
    const judged = page.waitForResponse(
      (response) =>
        response.request().resourceType() === 'fetch' &&
        new URL(response.url()).pathname === '/client-integrations',
    )
    await openConfigurations(page)
    await (await judged).finished()
    await page.evaluate('window.isOfBefore = true')
    const dialog = await openCreateDialog(page)
    await expect(dialog.getByLabel('Webhook Name')).toBeVisible()
    expect(await page.evaluate('"isOfBefore" in window')).toBe(true)
    expect(asked).toEqual(['fetch', 'fetch', 'script'])
  })

test('if the template editor cannot be loaded, a plain field replaces it and keeps the typed text', async ({
  page,
}) => {
  await breakFirst(page, /\/assets\/CodeEditor-[^/]*\.js$/)
  await openConfigurations(page)
  const dialog = await openCreateDialog(page)
  await dialog.getByLabel('Webhook Name').fill('Dialler')
  const advanced = await openGroup(dialog, 'Advanced options')
  await expect(advanced.getByRole('textbox', { name: 'Payload Template' })).toHaveValue(/\{\{id\}\}/)
  await expect(dialog.getByLabel('Webhook Name')).toHaveValue('Dialler')
})

test('a screen that failed to load appears after one reload, and again at the next press', async ({
  page,
}) => {
  const asked = await breakFirst(page, /\/assets\/SettingsPage-[^/]*\.js$/)
  await page.goto('/client-integrations')
  const menu = page.getByRole('complementary', { name: 'Sidebar' })
  await menu.getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  expect(asked[0]).toBe('fetch')
  await menu.getByRole('link', { name: 'Leads' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  await menu.getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
})

testApart('the browser downloads every file of the app only once', async ({ browser, client }) => {
  const { page, crossed, end } = await openWatched(browser)
  await beginSession(page, client.session)
  await page.goto('/dashboard')
  const menu = page.getByRole('complementary', { name: 'Sidebar' })
  for (const name of ['Leads', 'Settings']) {
    await menu.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  }
  await openConfigurations(page)
  const dialog = await openCreateDialog(page)
  await expect(dialog.getByLabel('Webhook Name')).toBeVisible()
  const files = crossed()
  for (const part of ['index', 'session', 'LeadsPage', 'SettingsPage', 'WebhookDialog', 'WebhookForm'])
    expect(
      files.some((file) => file.startsWith(`/assets/${part}-`)),
      part,
    ).toBe(true)
  expect(files.toSorted()).toEqual([...new Set(files)].toSorted())
  await end()
})

/**
 * Opens a page in a browser without any of the app's files. No route is set, because that would switch the
 * cache off.
 */
async function openWatched(browser: Browser) {
  const context = await browser.newContext({ baseURL: readEnvironment().server, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  const addresses = new Map<string, string>()
  const kept = new Set<string>()
  const files: string[] = []
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    addresses.set(requestId, new URL(request.url).pathname)
  })
  devtools.on('Network.requestServedFromCache', ({ requestId }) => kept.add(requestId))
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache === true || response.fromPrefetchCache === true) kept.add(requestId)
    const address = addresses.get(requestId) ?? ''
    if (address.startsWith('/assets/') && !kept.has(requestId)) files.push(address)
  })
  await devtools.send('Network.enable')
  return { page, crossed: () => files, end: () => context.close() }
}
