import { expect, test as playwright, type Page } from '@playwright/test'
import { signUpClient, type E2eClient } from './e2e-client.ts'
import { readEnvironment } from './e2e-environment.ts'
import { openKeptPage, type KeptPage } from './kept-page.ts'
import { watchPages } from './watch-pages.ts'

export { expect }

export const SIGNED_OUT = ''
const SESSION_KEY = 'leadwire.auth'

interface Fixtures {
  client: E2eClient
  /** What the browser has of a session when the test begins; SIGNED_OUT: nothing. */
  session: string
  /**
   * What no page may do: break the content policy, leave an error uncaught, or report a failure. A test that provokes one
   * takes it out; what is left at the end fails the test.
   */
  faults: string[]
}

interface WorkerFixtures {
  kept: KeptPage
}

const base = playwright.extend<Fixtures, WorkerFixtures>({
  // Known to both kinds of test, or a worker of the one could not run the other.
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
 * Chromium signed in as a client of its own; `test.use({ session: SIGNED_OUT })` where it must not be. Its page is the one
 * of the tests before, cleaned; what cannot be undone on it is refused.
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

/** The same on a page of its own: for a test that sets the clock, adds a script or is a phone. Its page is dearer to open. */
export const testApart = base.extend({
  page: async ({ page, session }, use) => {
    await beginSession(page, session)
    await use(page)
  },
})

/** Signs the browser in. Not by `storageState`: another one for each test would cost a new context each, and with it a new process. */
export async function beginSession(
  page: Page,
  session: string,
  server = readEnvironment().server,
): Promise<void> {
  if (session === SIGNED_OUT) return
  if (page.url() !== `${server}/healthz`) await page.goto(`${server}/healthz`)
  await page.evaluate(`localStorage.setItem('${SESSION_KEY}', ${JSON.stringify(session)})`)
}

/** The storage of another browser in which the client has signed in. */
export function signedIn(client: E2eClient) {
  const localStorage = [{ name: SESSION_KEY, value: client.session }]
  return { cookies: [], origins: [{ origin: readEnvironment().server, localStorage }] }
}

/** Holds every request that matches until it is released, so that what shows meanwhile can be looked at. */
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

/** Lets the server seem to fail where it cannot be made to; answers how many requests met it. */
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
 * Lets what matches reach the server and keeps its first answers from the page, as a connection does that breaks at a bad
 * moment; `count` says how many were lost.
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
