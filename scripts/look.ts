import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { auditSite } from './look/audit-site.ts'
import { openBrowser } from './look/open-browser.ts'
import { drawReceivers } from './look/draw-receivers.ts'
import { drawScreens } from './look/draw-screens.ts'
import { timeInteractions } from './look/time-interactions.ts'
import { stopAllGuarded } from './services/guarded-process.ts'
import { bringUp } from './start/bring-up.ts'
import { createClosers } from './start/closers.ts'

/** `npm run look`: checks in a browser what a person would see. README.md describes the parts. */
const { values: flags } = parseArgs({
  options: {
    /** checks every public page in every variant with axe; prints the table */
    axe: { type: 'boolean', default: false },
    /** makes docs/screens.md and its pictures */
    screens: { type: 'boolean', default: false },
    /** makes pictures of the form for each preset, for the documentation */
    receivers: { type: 'boolean', default: false },
    /** measures how fast the app answers a press or a key on a slow processor; prints the table */
    interactions: { type: 'boolean', default: false },
  },
})
const all = !flags.axe && !flags.screens && !flags.receivers && !flags.interactions
const repository = fileURLToPath(new URL('..', import.meta.url))
const folder = path.join(repository, '.cache/look')
const closers = createClosers()
try {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  // The product starts its own services as on a first start, so variables of the shell or of .env do not apply.
  const { PATH, HOME, TMPDIR } = process.env
  const product = await bringUp(folder, { PATH, HOME, TMPDIR }, closers)
  const browser = await openBrowser()
  await closers.add('The browser', () => browser.close())
  if (all || flags.receivers) await drawReceivers(browser, product, path.join(repository, 'docs/site/images'))
  if (all || flags.screens) await drawScreens(browser, product, path.join(repository, 'docs'))
  if (flags.interactions) process.exitCode = (await timeInteractions(browser, product)) === 0 ? 0 : 1
  if (all || flags.axe) process.exitCode = (await auditSite(browser, product.url)) === 0 ? 0 : 1
} finally {
  await closers.closeAll()
  await stopAllGuarded()
}
process.exit()
