import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { refuseWhatStays } from './refuse-what-stays.ts'
import { reportViolations } from './watch-pages.ts'

/**
 * One page for many tests, cleaned after each. It stays on the origin it was on: a new one, or a way over about:blank, would
 * be a new process (our Cross-Origin-Opener-Policy), and with it the cached code of the app would go.
 */
export interface KeptPage {
  context: BrowserContext
  page: Page
  clean: () => Promise<void>
}

const STORED = `(async () => {
  window.name = ''
  localStorage.clear()
  sessionStorage.clear()
  for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
})()`

/** Whatever a test may listen to; `close` and `crash` are Playwright's own. */
const EVENTS = [
  'console',
  'dialog',
  'domcontentloaded',
  'download',
  'filechooser',
  'frameattached',
  'framedetached',
  'framenavigated',
  'load',
  'page',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'serviceworker',
  'weberror',
  'websocket',
  'worker',
]

export async function openKeptPage(browser: Browser, options: BrowserContextOptions): Promise<KeptPage> {
  const context = await browser.newContext(options)
  await reportViolations(context)
  const page = await context.newPage()
  refuseWhatStays(context, page)
  const origins = new Set<string>()
  const noteOrigins = () => {
    context.on('page', (other) => {
      other.on('framenavigated', (frame) => origins.add(originOf(frame.url())))
    })
    page.on('framenavigated', (frame) => origins.add(originOf(frame.url())))
  }
  noteOrigins()

  const clean = async () => {
    for (const emitter of [context, page]) for (const event of EVENTS) emitter.removeAllListeners(event)
    await Promise.all([context, page].map((routed) => routed.unrouteAll({ behavior: 'ignoreErrors' })))
    for (const other of context.pages()) if (other !== page) await other.close()
    await context.setOffline(false)
    await context.clearPermissions()
    // The origin where it is comes last, and there it stays.
    const here = originOf(page.url())
    origins.delete(here)
    for (const origin of [...origins, here].filter((known) => known !== 'null')) {
      // A server that has ended by now leaves an origin that nobody comes back to.
      const isThere = await page.goto(`${origin}/healthz`).then(
        () => true,
        () => false,
      )
      if (isThere) await page.evaluate(STORED)
    }
    origins.clear()
    await page.mouse.move(0, 0)
    await context.clearCookies()
    noteOrigins()
  }
  return { context, page, clean }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'null'
}
