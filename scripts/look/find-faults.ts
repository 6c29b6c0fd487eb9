import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type { AxeResults } from 'axe-core'

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

let axe: Promise<string> | undefined

/**
 * The faults that axe finds on the page: by every rule of WCAG 2.2 AA, by all its rules, or only by colours.
 */
export async function findFaults(
  page: Page,
  rules: 'wcag' | 'every' | 'colours' = 'wcag',
): Promise<string[]> {
  // A page keeps the script until its next load; adding it costs more than running it.
  if (!(await page.evaluate('"axe" in window'))) {
    axe ??= readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
    await page.evaluate(await axe)
  }
  const runOnly = { wcag: LEVELS, every: undefined, colours: ['color-contrast'] }[rules]
  // Selectors for each checked element are a quarter of the work, and nobody reads them.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], selectors: false })
  return await page.evaluate<string[]>(`axe.run(document, ${options}).then(${String(nameFaults)})`)
}

/** Runs in the page, because the rest of axe's result is long. */
function nameFaults({ violations }: AxeResults): string[] {
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)
}

export async function readWidth(page: Page): Promise<number> {
  return await page.evaluate<number>(
    'Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)',
  )
}
