import type { Opened } from '#core/closing.ts'
import type { FileStore } from '#core/file-store/file-store.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { openRateLimits, type CountingPlace, type RateLimits } from '../http/rate-limits.ts'

/** Limits of the storage wire that all servers count together. */
export interface StoragePart {
  rates: RateLimits<'upload'>
}

/** Files of an account; enough for a folder of small files, too few to fill a disk with rows. */
export const UPLOAD_RATE = { points: 300, seconds: 60 } as const

const HOUR_MS = 3_600_000
/** An upload takes less than a day, so what is older was cut off or given up. */
const UNFINISHED_MS = 24 * HOUR_MS

/**
 * Opens the storage wire. The server removes rests of uploads from its own disk, which a worker on another machine does
 * not see.
 */
export function openStorage(
  { counting, files, logger }: { counting: CountingPlace; files: FileStore; logger: Logger },
  tidyEveryMs = HOUR_MS,
): Opened<StoragePart> {
  const tidy = async (): Promise<void> => {
    try {
      const removed = await files.removeUnfinished(new Date(Date.now() - UNFINISHED_MS))
      if (removed > 0) logger.info({ removed }, 'removed rests of uploads')
    } catch (error) {
      logger.warn({ failure: describeError(error) }, 'rests of uploads are removed later')
    }
  }
  const timer = setInterval(() => void tidy(), tidyEveryMs)
  timer.unref()
  return {
    part: { rates: openRateLimits({ upload: UPLOAD_RATE }, counting) },
    close: () => {
      clearInterval(timer)
      return Promise.resolve()
    },
  }
}
