/**
 * Measures pages of a running Leadwire with Lighthouse, and prints a table (docs/measurements/browser.md).
 */
import { parseArgs } from 'node:util'
import { findChromium } from './test/find-chromium.ts'
import { listPages, NOWHERE, takePart } from './lighthouse/list-pages.ts'
import { measurePage } from './lighthouse/measure-page.ts'
import { openChromium } from './lighthouse/open-chromium.ts'
import { serveAsFound } from './lighthouse/serve-as-found.ts'
import { fetchLighthouse } from './lighthouse/fetch-lighthouse.ts'
import { isGood, tableHead, writeRow } from './lighthouse/write-row.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string', default: 'http://localhost:3000' },
    runs: { type: 'string', default: '3' },
    /** for example `2/8`: the second eighth of the pages */
    part: { type: 'string', default: '1/1' },
  },
})

const lighthouse = await fetchLighthouse()
const asFound = await serveAsFound(values.url)
const chromium = await openChromium(await findChromium(process.env['CHROMIUM_PATH']))
try {
  const pages = takePart(positionals.length > 0 ? positionals : await listPages(values.url), values.part)
  console.log(tableHead())
  let short = 0
  for (const page of pages) {
    const address = new URL(page, page === NOWHERE ? asFound.url : values.url).href
    const figures = await measurePage(lighthouse, address, chromium.port, Number(values.runs))
    console.log(writeRow(page, figures))
    if (!isGood(page, figures)) short += 1
  }
  console.log(`\n${pages.length} pages, ${short} of them short of the aims`)
  process.exitCode = short === 0 ? 0 : 1
} finally {
  chromium.close()
  asFound.close()
}
