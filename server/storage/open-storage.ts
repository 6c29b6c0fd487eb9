import { openRateLimits, type CountingPlace, type RateLimits } from '../http/rate-limits.ts'

/** Limits of the storage wire that all servers count together. */
export interface StoragePart {
  rates: RateLimits<'upload'>
}

/** Files of an account; enough for a folder of small files, too few to fill a disk with rows. */
export const UPLOAD_RATE = { points: 300, seconds: 60 } as const

export function openStorage(counting: CountingPlace): StoragePart {
  return { rates: openRateLimits({ upload: UPLOAD_RATE }, counting) }
}
