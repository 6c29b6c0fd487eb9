import { existsSync } from 'node:fs'
import path from 'node:path'
import { ConfigError, loadConfig } from '#core/config/config.ts'
import { readSecretFiles } from '#core/config/secret-files.ts'
import { findTakenPorts, type Variables } from './choose-port.ts'
import { refuseClaimedFolder } from './claim-data-folder.ts'

/** Services that may be left out, because we bring our own. */
const EMBEDDED = { DATABASE_URL: 'postgres://embedded', REDIS_URL: 'redis://embedded' }
/** First accounts without a name or password get generated ones (keep-secrets.ts). */
const FIRST_ACCOUNTS = {
  SEED_ADMIN_EMAIL: 'admin@example.com',
  SEED_ADMIN_PASSWORD: 'Stand-in-7294',
  SEED_CLIENT_EMAIL: 'client@example.com',
  SEED_CLIENT_PASSWORD: 'Stand-in-7294',
}

/**
 * Reads the environment of a start on one's own machine: the variables that are set, including a file `.env`,
 * and the data folder.
 * @param standIns values that the start itself sets for unset variables
 * @throws ConfigError with every fault at once, before anything is started or written
 * @throws FolderInUseError if another start uses the same data
 */
export async function readEnvironment(
  standIns: Readonly<Record<string, string>> = {},
): Promise<{ given: Variables; dataDir: string }> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const given: Variables = Object.fromEntries(
    Object.entries(process.env).filter(([, value]) => value?.trim() !== ''),
  )
  const dataDir = path.resolve(given['DATA_DIR'] ?? '.data')
  const faults = findFaults(given, { ...EMBEDDED, ...FIRST_ACCOUNTS, ...standIns })
  // Checked before the ports, because a running start with the same data has taken them itself.
  if (faults.length === 0) await refuseClaimedFolder(dataDir)
  faults.push(...(await findTakenPorts(given)))
  if (faults.length > 0) throw new ConfigError(faults)
  // The processes that this start runs get the contents, because it generates what is missing beside them.
  return { given: readSecretFiles(given).given, dataDir }
}

function findFaults(given: Variables, standIns: Readonly<Record<string, string>>): string[] {
  try {
    loadConfig(given, { standIns })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return [...error.faults]
    throw error
  }
}
