import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stopAllGuarded } from './services/guarded-process.ts'
import { endRunningCommands } from './services/run-command.ts'
import { duration, step } from './services/step.ts'
import { startTestServices } from './services/test-services.ts'
import { buildWeb } from './start/build-web.ts'
import { findChromium } from './test/find-chromium.ts'
import { CHECKS, runCheck } from './test/run-checks.ts'
import { endRunningSuites, runPlaywright, runVitest } from './test/run-suites.ts'
import { failedOnce, lastLine, passedOnce, sum } from './test/tally.ts'
import type { Tally } from './test/tally.ts'

const startedAt = performance.now()
const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
const folder = await mkdtemp(path.join(tmpdir(), 'leadwire-run-'))
// PostgreSQL may run as another user, who must get through to its data.
await chmod(folder, 0o711)
const tallies: Tally[] = []
let stopServices = stopAllGuarded

/** Ctrl-C reaches us through the terminal and again through npm: only the first signal counts, the others do no harm. */
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

/** A part that throws is one failure, and the other parts still run. */
async function part(name: string, run: () => Promise<Tally>): Promise<void> {
  await interruption
  try {
    tallies.push(await run())
  } catch (error) {
    console.error(`✗ ${name}: ${error instanceof Error ? error.message : String(error)}`)
    tallies.push(failedOnce(name))
  }
  await interruption
}

console.log('── Checks')
for (const check of CHECKS) await part(check.title, () => runCheck(check))

console.log('\n── Services')
await part('Web build', async () => {
  if (!(await buildWeb())) console.log('✓ Web app is built already')
  return passedOnce
})
await part('unit', () => runVitest('unit', given, folder))
await part('Tests with services', async () => {
  const services = await startTestServices(given, folder)
  stopServices = services.stop
  const env = {
    ...given,
    TEST_DATABASE_URL: services.databaseUrl,
    TEST_REDIS_URL: services.redisUrl,
    TEST_TEMPLATE_DATABASE: services.template,
  }
  try {
    await part('pipeline', () => runVitest('pipeline', env, folder))
    await part('http', () => runVitest('http', env, folder))
    await part('e2e', async () => {
      const find = () => findChromium(given['CHROMIUM_PATH'])
      const chromium = await step('Looking for Chromium', find, (place) => `Chromium: ${place}`)
      return runPlaywright({ ...env, CHROMIUM_PATH: chromium }, folder)
    })
  } finally {
    await stopServices()
  }
  return sum([])
})

const total = sum(tallies)
await rm(folder, { recursive: true, force: true })
if (total.failures.length > 0)
  console.log(`\nFailed:\n${total.failures.map((failure) => `  ✗ ${failure}`).join('\n')}`)
console.log(`\nTook ${duration(performance.now() - startedAt)}`)
console.log(lastLine(total))
process.exit(total.failed === 0 ? 0 : 1)
