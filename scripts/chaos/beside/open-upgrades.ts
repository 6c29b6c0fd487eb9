import { REPOSITORY } from '../../lab/spawn-script.ts'
import type { ScenarioResult } from '../run-scenario.ts'
import { checkOut } from './check-out.ts'
import { runBeside } from './run-beside.ts'
import type { Upgrade } from './upgrades.ts'
import { openVersion } from './versions.ts'

/** Leads a second. */
const RATE = 50

export interface Upgrades {
  runUpgrade: (upgrade: Upgrade, size: { loadFactor: number; seconds: number }) => Promise<ScenarioResult>
  close: () => Promise<void>
}

/** Checks out the version from which to upgrade to this one. @param before a git ref or a folder */
export async function openUpgrades(before: string): Promise<Upgrades> {
  const { name, folder, remove } = await checkOut(before)
  try {
    const versions = {
      before: await openVersion('before', folder),
      this: await openVersion('this', REPOSITORY),
    }
    console.log(`The version before: ${name}`)
    return {
      runUpgrade: (upgrade, { loadFactor, seconds }) =>
        runBeside(upgrade, versions, { rate: RATE * loadFactor, seconds }),
      close: remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}
