import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from '@playwright/test'
import { refuseWhatStays } from './refuse-what-stays.ts'
import { reportViolations } from './watch-pages.ts'

/**
 * One page for many tests, cleaned after each. It stays on its origin, because a new one or about:blank would
 * start a new process (our Cross-Origin-Opener-Policy) and lose the app's cached code.
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

/** Events that a test may listen to; `close` and `crash` are Playwright's own. */
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
  // A frame within a page leaves nothing behind, because its storage belongs to the page.
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
    // The current origin comes last, and the page stays there.
    const here = originOf(page.url())
    origins.delete(here)
    for (const origin of [...origins, here].filter((known) => known !== 'null')) {
      const isThere = await hasServer(origin)
      // A stopped server's origin is not used again, but its page must not keep running.
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

/**
 * Checked before a navigation, because the error page for a stopped server appears late and would cancel the
 * next navigation.
 */
async function hasServer(origin: string): Promise<boolean> {
  return await fetch(`${origin}/healthz`, { method: 'HEAD' }).then(
    () => true,
    () => false,
  )
}

/**
 * A navigation of the page itself may commit first. Ours is then reported as interrupted, but it still
 * arrives.
 */
async function arrive(page: Page, url: string): Promise<void> {
  await page.goto(url).catch(() => page.waitForURL(url))
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'null'
}
