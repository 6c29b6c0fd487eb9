import { expect, test as playwright, type Page } from '@playwright/test'
import { signUpClient, type E2eClient } from './e2e-client.ts'
import { readEnvironment } from './e2e-environment.ts'
import { openKeptPage, type KeptPage } from './kept-page.ts'
import { watchPages } from './watch-pages.ts'

export { expect }

export const SIGNED_OUT = ''
export const SESSION_KEY = 'leadwire.auth'

interface Fixtures {
  client: E2eClient
  /** The session in the browser when the test begins; SIGNED_OUT: none. */
  session: string
  /**
   * Faults that no page may have: a violation of the content policy, an uncaught error, a failure report. A
   * test that provokes one removes it; any that is left fails the test.
   */
  faults: string[]
}

interface WorkerFixtures {
  kept: KeptPage
}

const base = playwright.extend<Fixtures, WorkerFixtures>({
  // Declared for both kinds of test, because otherwise their workers could not be shared.
  kept: [
    async ({ browser }, use, { project }) => {
      const { baseURL = '', viewport = null, reducedMotion = null } = project.use
      await use(await openKeptPage(browser, { baseURL, viewport, reducedMotion, colorScheme: 'light' }))
    },
    { scope: 'worker' },
  ],
  client: async ({ baseURL: _baseURL }, use) => use(await signUpClient()),
  session: async ({ client }, use) => use(client.session),
  faults: [
    async ({ context }, use) => {
      const faults: string[] = []
      await watchPages(context, faults)
      await use(faults)
      expect(faults, 'what the pages did wrong').toEqual([])
    },
    { auto: true },
  ],
})

/**
 * Chromium signed in as a client of its own; `test.use({ session: SIGNED_OUT })` without a session. It reuses
 * the page of earlier tests, cleaned; actions that cannot be undone are refused.
 */
export const test = base.extend({
  context: async ({ kept, isMobile, hasTouch, locale, timezoneId, userAgent, storageState }, use) => {
    const special = isMobile || hasTouch || locale !== 'en-US' || (timezoneId ?? userAgent ?? storageState)
    if (special) throw new Error('A kept page takes its size and its media alone: take testApart')
    await use(kept.context)
    await kept.clean()
  },
  page: async ({ context: _context, kept, session, viewport, colorScheme, reducedMotion }, use) => {
    const { page } = kept
    if (viewport !== null) await page.setViewportSize(viewport)
    await page.emulateMedia({ media: null, colorScheme, reducedMotion, contrast: null, forcedColors: null })
    await beginSession(page, session)
    await use(page)
  },
})

/**
 * Like `test`, on a page of its own, for a test that sets the clock, adds a script or is a phone. Opening
 * such a page costs more.
 */
export const testApart = base.extend({
  page: async ({ page, session }, use) => {
    await beginSession(page, session)
    await use(page)
  },
})

/**
 * Signs the browser in. A `storageState` for each test would need a new context, and with it a new process.
 */
export async function beginSession(
  page: Page,
  session: string,
  server = readEnvironment().server,
): Promise<void> {
  if (session === SIGNED_OUT) return
  if (page.url() !== `${server}/healthz`) await page.goto(`${server}/healthz`)
  await page.evaluate(`localStorage.setItem('${SESSION_KEY}', ${JSON.stringify(session)})`)
}

/** Storage of another browser in which the client is signed in. */
export function signedIn(client: E2eClient) {
  const localStorage = [{ name: SESSION_KEY, value: client.session }]
  return { cookies: [], origins: [{ origin: readEnvironment().server, localStorage }] }
}

/** Holds every matching request until it is released, to check what is shown meanwhile. */
export async function holdRequests(page: Page, url: string | RegExp): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await released
    await route.fallback()
  })
  return async () => {
    release()
    await page.unroute(url)
  }
}

/** Makes matching requests fail; returns a function that counts them. */
export async function failRequests(page: Page, url: string | RegExp, methods: readonly string[] = []) {
  const met: string[] = []
  await page.route(url, async (route) => {
    const method = route.request().method()
    if (methods.length > 0 && !methods.includes(method)) return route.fallback()
    met.push(method)
    await route.fulfill({ status: 500, contentType: 'text/plain', body: 'down' })
  })
  return { count: () => met.length, end: () => page.unroute(url) }
}

/**
 * Lets matching requests reach the server but loses the first answers, like a connection that breaks; `count`
 * returns how many were lost.
 */
export async function loseAnswers(page: Page, url: string | RegExp, method: string, most = Infinity) {
  let lost = 0
  await page.route(url, async (route) => {
    if (route.request().method() !== method || lost >= most) return route.fallback()
    lost += 1
    await route.fetch()
    await route.abort('connectionreset')
  })
  return { count: () => lost, end: () => page.unroute(url) }
}

export function toast(page: Page, text: string | RegExp) {
  return page.getByRole('group').filter({ hasText: text }).getByText(text, { exact: true })
}

export async function dismissToasts(page: Page): Promise<void> {
  const buttons = page.getByRole('button', { name: 'Dismiss', exact: true })
  while ((await buttons.count()) > 0) {
    const before = await buttons.count()
    await buttons.first().click()
    await expect.poll(() => buttons.count()).toBeLessThan(before)
  }
}
