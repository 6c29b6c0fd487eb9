import { existsSync } from 'node:fs'
import { startPostgres } from '#scripts/services/postgres.ts'
import { startTestServices } from '#scripts/services/test-services.ts'
import { makeThrowAwayFolder, removeThrowAwayFolder } from '#scripts/services/throw-away-folder.ts'
import { temporaryRoot } from '#scripts/test/temporary-root.ts'
import { ODD_DEFAULTS } from './odd-defaults.ts'
import { tellServices } from './services.ts'

/** Folder of the oldest supported version, on Debian and similar systems. */
const OLDEST = '/usr/lib/postgresql/15/bin'

/**
 * Vitest's globalSetup of the project `foreign`: PostgreSQL 15 if installed, otherwise our own; every default
 * that we set is odd.
 */
export async function setup(): Promise<() => Promise<void>> {
  const bin = existsSync(`${OLDEST}/postgres`) ? OLDEST : undefined
  if (bin === undefined)
    process.stdout.write(`PostgreSQL 15 is not in ${OLDEST}: these tests run on our own version\n`)
  const root = await temporaryRoot()
  const folder = await makeThrowAwayFolder('foreign', root)
  const settings = Object.entries(ODD_DEFAULTS).map(([name, value]) => `${name}=${value}`)
  const postgres = await startPostgres({ folder, bin, throwaway: true, settings })
  const { TEST_TEMPLATE_DATABASE: _, ...given } = process.env
  const services = await startTestServices({ ...given, TEST_DATABASE_URL: postgres.url }, root)
  tellServices(services)
  return async () => {
    await services.stop()
    await postgres.stop()
    await removeThrowAwayFolder(folder)
  }
}
