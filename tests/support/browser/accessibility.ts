import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import { expect, type Page } from '@playwright/test'

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const PHONE = { width: 390, height: 844 }

let axe: Promise<string> | undefined

/** What axe finds wrong with the page as it is: by every rule of WCAG 2.2 AA, by all that it knows, or by the colours alone. */
export async function findFaults(
  page: Page,
  rules: 'wcag' | 'every' | 'colours' = 'wcag',
): Promise<string[]> {
  // A page keeps it until its next load; to put it there is dearer than to use it.
  if (!(await page.evaluate('"axe" in window'))) {
    axe ??= readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
    await page.evaluate(await axe)
  }
  const runOnly = { wcag: LEVELS, every: undefined, colours: ['color-contrast'] }[rules]
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] })
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)
}

export async function readWidth(page: Page): Promise<number> {
  return await page.evaluate<number>(
    'Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)',
  )
}

/** On a phone the screen as it stands does not scroll sideways. */
export async function expectToFitPhone(page: Page, screen: string): Promise<void> {
  const wide = page.viewportSize()
  await page.setViewportSize(PHONE)
  await expect.soft.poll(() => readWidth(page), screen).toBeLessThanOrEqual(PHONE.width)
  if (wide !== null) await page.setViewportSize(wide)
}

/** The screen as it stands has no accessibility fault, and on a phone it does not scroll sideways. */
export async function expectSound(page: Page, screen: string): Promise<void> {
  expect.soft(await findFaults(page), screen).toEqual([])
  await expectToFitPhone(page, screen)
}
