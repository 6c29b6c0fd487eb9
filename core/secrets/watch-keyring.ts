import type { Opened } from '../closing.ts'
import type { Db } from '../data/database.ts'
import { readStoredKeys } from '../data/secrets/stored-keys.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Keyring } from './keyring.ts'

/** A rotation waits longer than this before its last look, so that no process seals with an older key after it. */
export const KEYRING_REFRESH_MS = 5_000

/** Keeps a running process informed about the key that seals: a rotation changes it. */
export function watchKeyring(keyring: Keyring, db: Db, logger: Logger): Opened<Keyring> {
  let reading: Promise<void> | undefined
  const read = async (): Promise<void> => {
    try {
      keyring.apply(await readStoredKeys(db))
    } catch (error) {
      logger.error({ err: error }, 'the keys of the database could not be read')
    } finally {
      reading = undefined
    }
  }
  const timer = setInterval(() => void (reading ??= read()), KEYRING_REFRESH_MS)
  timer.unref()
  return {
    part: keyring,
    close: async () => {
      clearInterval(timer)
      await reading
    },
  }
}
