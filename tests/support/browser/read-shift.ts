import type { Page } from '@playwright/test'

/**
 * Returns how much of the screen has moved since the page was opened (Cumulative Layout Shift). Every page
 * has a navigation entry, so there is an answer even without any shift.
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
