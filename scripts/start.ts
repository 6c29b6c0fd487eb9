import { mkdir } from 'node:fs/promises'
import { stopAllGuarded } from './services/guarded-process.ts'
import { endRunningCommands } from './services/run-command.ts'
import { duration } from './services/step.ts'
import { announce } from './start/announce.ts'
import { bringUp } from './start/bring-up.ts'
import { claimDataFolder } from './start/claim-data-folder.ts'
import { createClosers } from './start/closers.ts'
import { readEnvironment } from './start/read-environment.ts'

const startedAt = performance.now()
const closers = createClosers()

/** Ctrl-C reaches us through the terminal and again through npm, so a second signal means nothing new. */
const interrupted = new Promise<'interrupted'>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => resolve('interrupted'))
})

try {
  const { given, dataDir } = await readEnvironment()
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
