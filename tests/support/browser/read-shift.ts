import type { Page } from '@playwright/test'

/** By how much of the screen what was there has moved since the page was opened (Cumulative Layout Shift). */
export function readShift(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => {
      resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0))
    }).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(0), 500)
  })`)
}
