import type { BrowserContext, Page } from '@playwright/test'

const OF_BOTH = [
  'addInitScript',
  'close',
  'exposeBinding',
  'exposeFunction',
  'routeFromHAR',
  'routeWebSocket',
  'setDefaultNavigationTimeout',
  'setDefaultTimeout',
  'setExtraHTTPHeaders',
]
const OF_CONTEXT = ['newCDPSession', 'setGeolocation', 'setHTTPCredentials', 'setStorageState']
const OF_PAGE = ['addLocatorHandler']
const OF_CLOCK = ['fastForward', 'install', 'pauseAt', 'resume', 'runFor', 'setFixedTime', 'setSystemTime']

/** Refuses actions that cannot be undone on a page that other tests use afterwards. */
export function refuseWhatStays(context: BrowserContext, page: Page): void {
  refuse(context, [...OF_BOTH, ...OF_CONTEXT])
  refuse(page, [...OF_BOTH, ...OF_PAGE])
  refuse(context.clock, OF_CLOCK)
}

function refuse(target: object, members: readonly string[]): void {
  for (const member of members) {
    if (!(member in target)) throw new Error(`Playwright has no ${member} any more`)
    const value = () => {
      throw new Error(`${member} cannot be undone, and this page is kept for other tests: take testApart`)
    }
    Object.defineProperty(target, member, { value })
  }
}
