import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from '@playwright/test'
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
  // A frame inside a page leaves nothing behind: its storage belongs to the page around it.
  const note = (frame: Frame) => {
    if (frame.parentFrame() === null) origins.add(originOf(frame.url()))
  }
  const noteOrigins = () => {
    context.on('page', (other) => {
      other.on('framenavigated', note)
    })
    page.on('framenavigated', note)
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
      const isThere = await hasServer(origin)
      // A server that has ended leaves an origin that nobody comes back to, but its page must not go on.
      if (isThere || origin === here) await arrive(page, isThere ? `${origin}/healthz` : 'about:blank')
      if (isThere) await page.evaluate(STORED)
    }
    origins.clear()
    await page.mouse.move(0, 0)
    await context.clearCookies()
    noteOrigins()
  }
  return { context, page, clean }
}

/** Asked before the browser goes there: its error page for a server that is gone comes late, and would cancel the next navigation. */
async function hasServer(origin: string): Promise<boolean> {
  return await fetch(`${origin}/healthz`, { method: 'HEAD' }).then(
    () => true,
    () => false,
  )
}

/** A navigation that the page itself began may commit first. Then ours is called interrupted, but it still arrives. */
async function arrive(page: Page, url: string): Promise<void> {
  await page.goto(url).catch(() => page.waitForURL(url))
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'null'
}
