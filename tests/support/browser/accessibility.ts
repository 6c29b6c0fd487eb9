import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const PHONE = { width: 390, height: 844 }

/** What axe finds wrong with the page as it is: by every rule of WCAG 2.2 AA, or by its colours alone. */
export async function findFaults(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  const axe = new AxeBuilder({ page })
  if (rules === 'all') axe.withTags(LEVELS)
  else axe.withRules(['color-contrast'])
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)
}

export async function readWidth(page: Page): Promise<number> {
  return await page.evaluate<number>(
    'Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)',
  )
}

/** The screen as it stands has no accessibility fault, and on a phone it does not scroll sideways. */
export async function expectSound(page: Page, screen: string): Promise<void> {
  expect.soft(await findFaults(page), screen).toEqual([])
  const wide = page.viewportSize()
  await page.setViewportSize(PHONE)
  await expect.poll(() => readWidth(page), screen).toBeLessThanOrEqual(PHONE.width)
  if (wide !== null) await page.setViewportSize(wide)
}
