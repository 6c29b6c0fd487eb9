import type { Page } from '@playwright/test'

/**
 * By how much of the screen what was there has moved since the page was opened (Cumulative Layout Shift). Every page has the entry of
 * its navigation, so that there is an answer where nothing has moved.
 */
export function readShift(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      resolve(list.getEntriesByType('layout-shift').reduce((sum, { value }) => sum + value, 0))
    })
    observer.observe({ type: 'layout-shift', buffered: true })
    observer.observe({ type: 'navigation', buffered: true })
  })`)
}
