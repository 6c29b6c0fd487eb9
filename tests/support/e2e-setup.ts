import { findChromium } from '#scripts/test/find-chromium.ts'
import { buildWeb } from '#scripts/start/build-web.ts'
import { setup } from './services.ts'

/** Playwright's globalSetup: what `npm test` prepares before the browser tests, for runs of these alone. */
export default async function prepare(): Promise<() => Promise<void>> {
  await buildWeb()
  process.env['CHROMIUM_PATH'] = await findChromium(process.env['CHROMIUM_PATH'])
  return setup()
}
