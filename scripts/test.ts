import { chmod, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { COMPILE_CACHE } from './lab/spawn-script.ts'
import { stopAllGuarded } from './services/guarded-process.ts'
import { endRunningCommands } from './services/run-command.ts'
import { duration, step } from './services/step.ts'
import { startTestServices } from './services/test-services.ts'
import { buildWeb } from './start/build-web.ts'
import { bundlePrograms } from './test/bundle-programs.ts'
import { fillCompileCache } from './test/fill-compile-cache.ts'
import { findChromium } from './test/find-chromium.ts'
import { openParts } from './test/parts.ts'
import { runChecks } from './test/run-checks.ts'
import { endRunningSuites, runPlaywright, runVitest } from './test/run-suites.ts'
import { remind } from './test/show-lines.ts'
import { lastLine, passedOnce, slowest, sum } from './test/tally.ts'
import { temporaryRoot } from './test/temporary-root.ts'

const SLOWEST_FILES = 10

const startedAt = performance.now()
const folder = await mkdtemp(path.join(await temporaryRoot(), 'leadwire-run-'))
// All temporary files of the tests and of their programs are in this folder and are deleted with it.
process.env['TMPDIR'] = folder
// Stripping types takes two thirds of the start of a service's guard.
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE
const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
// PostgreSQL may run as another user, who must be able to reach its data.
await chmod(folder, 0o711)
/** Includes the services once they run. */
let env = given
let stopServices = stopAllGuarded
/**
 * The folder of the bundled server and worker, once they exist; without it the tests start them from their
 * sources.
 */
let bundles: Record<string, string> = {}

/**
 * Ctrl-C reaches us through the terminal and again through npm: only the first signal counts, the others do
 * no harm.
 */
let interruption: Promise<void> | undefined
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.on(signal, () => {
    interruption ??= interrupt().finally(() => process.exit(status))
  })
}

async function interrupt(): Promise<void> {
  endRunningCommands()
  await endRunningSuites()
  await stopServices()
  await rm(folder, { recursive: true, force: true })
}

const parts = openParts(() => interruption)
const stopReminding = remind(() => parts.atWork().join(', '))

// Runs beside everything else, because it may have to be downloaded.
let chromium: string | undefined = given['CHROMIUM_PATH']
const finding = parts.run('Chromium', async () => {
  const find = () => findChromium(given['CHROMIUM_PATH'])
  chromium = await step('Looking for Chromium', find, (place) => `Chromium: ${place}`)
  return sum([])
})

// The preparations that all tests with services need.
const ready = Promise.all([
  parts.run('services', async () => {
    const services = await startTestServices(given, folder)
    stopServices = services.stop
    env = {
      ...given,
      TEST_DATABASE_URL: services.databaseUrl,
      TEST_REDIS_URL: services.redisUrl,
      TEST_TEMPLATE_DATABASE: services.template,
    }
    return sum([])
  }),
  parts.run('web build', async () => {
    if (!(await buildWeb())) console.log('✓ Web app is built already')
    return passedOnce
  }),
  parts.run('bundles', async () => {
    const place = await step('Bundling server and worker', bundlePrograms)
    bundles = { PROGRAMS_FOLDER: place }
    await fillCompileCache(place)
    return sum([])
  }),
])

// The pipeline's tests mostly wait, the others mostly compute; more in parallel would only delay each other.
// Tests that tolerate it run beside the browser tests, which come last and take longest.
await Promise.all([
  inTurn(
    () => ready,
    () => parts.run('pipeline', () => runVitest('pipeline', { ...env, ...bundles }, folder)),
    () => parts.run('foreign', () => runVitest('foreign', { ...env, ...bundles, TEST_FOREIGN: '1' }, folder)),
    () => parts.run('checks', runChecks),
  ),
  inTurn(
    () => parts.run('unit', () => runVitest('unit', given, folder)),
    () => ready,
    () => parts.run('http', () => runVitest('http', { ...env, ...bundles }, folder)),
    () => finding,
    () => parts.run('e2e', () => runPlaywright({ ...env, ...bundles, CHROMIUM_PATH: chromium }, folder)),
  ),
])
await parts.run('stopping', async () => {
  await stopServices()
  return sum([])
})
stopReminding()
await rm(folder, { recursive: true, force: true })

const total = parts.total()
console.log('\nHow long each part took, several of them side by side:')
for (const { name, ms } of parts.times()) console.log(`  ${duration(ms).padStart(12)}  ${name}`)
console.log(`\nThe ${SLOWEST_FILES} slowest files:`)
for (const { name, ms } of slowest(total.files, SLOWEST_FILES))
  console.log(`  ${duration(ms).padStart(12)}  ${name}`)
if (total.failures.length > 0)
  console.log(`\nFailed:\n${total.failures.map((failure) => `  ✗ ${failure}`).join('\n')}`)
console.log(`\nTook ${duration(performance.now() - startedAt)}`)
console.log(lastLine(total))
process.exit(total.failed === 0 ? 0 : 1)

async function inTurn(...runs: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const run of runs) await run()
}
