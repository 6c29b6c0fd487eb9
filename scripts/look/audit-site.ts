import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from '@playwright/test'
import { SITE_FOLDER, type SiteIndex } from '#core/contract/site.ts'
import { writeTable } from '../site/tables/write-table.ts'
import { findFaults, readWidth } from './find-faults.ts'

const BUILT = fileURLToPath(new URL('../../dist/web', import.meta.url))
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const
const SCHEMES = ['light', 'dark'] as const
const TEXTS = [100, 200] as const

/**
 * Checks every public page and each not-found page, in light and dark, at 1280 and 390 px, with normal and
 * double text size: with all rules of axe, and for sideways scrolling. Prints a table; returns the number of
 * faults.
 */
export async function auditSite(browser: Browser, url: string): Promise<number> {
  const variants = SCHEMES.flatMap((scheme) =>
    SIZES.flatMap((size) => TEXTS.map((text) => ({ scheme, size, text }))),
  )
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const faults: string[] = []
  const rows: string[][] = []
  for (const asked of await listPaths()) {
    await page.goto(asked)
    const cells: string[] = []
    for (const { scheme, size, text } of variants) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme: scheme })
      await page.evaluate(`document.documentElement.style.fontSize = '${text}%'`)
      const found = await findFaults(page, 'every')
      const width = await readWidth(page)
      if (width > size.width) found.push(`it is ${width} px wide`)
      faults.push(...found.map((fault) => `${asked}, ${scheme}, ${size.width}, ${text} %: ${fault}`))
      cells.push(String(found.length))
    }
    rows.push([`\`${asked}\``, ...cells])
  }
  await context.close()
  const heads = variants.map(({ scheme, size, text }) => `${scheme} ${size.width} ${text} %`)
  console.log(writeTable(['page', ...heads], rows))
  console.log(
    `\n${rows.length} pages × ${variants.length} variants, axe-core with all of its rules: ${faults.length} violations`,
  )
  for (const fault of faults) console.error(fault)
  return faults.length
}

async function listPaths(): Promise<string[]> {
  const { pages, missing } = JSON.parse(
    await readFile(path.join(BUILT, SITE_FOLDER, 'index.json'), 'utf8'),
  ) as SiteIndex
  return [
    ...Object.keys(pages).filter((asked) => pages[asked]?.endsWith('.html')),
    ...Object.keys(missing).map((under) => `${under}nowhere`),
  ]
}
