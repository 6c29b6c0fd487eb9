import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { loadConfig } from '#core/config/config.ts'
import { stopAllGuarded } from './services/guarded-process.ts'
import { endRunningCommands } from './services/run-command.ts'
import { duration } from './services/step.ts'
import { announce } from './start/announce.ts'
import { bringUp } from './start/bring-up.ts'
import { claimDataFolder } from './start/claim-data-folder.ts'
import { createClosers } from './start/closers.ts'

const startedAt = performance.now()
const closers = createClosers()

/** Ctrl-C reaches us through the terminal and again through npm, so that a second signal means nothing new. */
const interrupted = new Promise<'interrupted'>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => resolve('interrupted'))
})

try {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
  // Every fault of the environment is told before anything is started; the services it may leave out are ours to bring.
  loadConfig({ DATABASE_URL: 'postgres://embedded', REDIS_URL: 'redis://embedded', ...given })
  const dataDir = path.resolve(given['DATA_DIR'] ?? '.data')
  await mkdir(dataDir, { recursive: true })
  const release = await claimDataFolder(dataDir)
  try {
    const outcome = await Promise.race([bringUp(dataDir, given, closers), interrupted])
    if (outcome !== 'interrupted') announce(outcome, duration(performance.now() - startedAt))
    await interrupted
    console.log('\n· Stopping; what is in flight is finished first …')
  } finally {
    endRunningCommands()
    await closers.closeAll()
    await stopAllGuarded()
    await release()
  }
  console.log('Leadwire has stopped')
  process.exit(0)
} catch (error) {
  console.error(`\n✗ ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
