import { UsageError } from './failures.ts'

const MOST_SECONDS = 30 * 24 * 3600

/** Whole seconds from 1 to a month. @throws UsageError */
export function readSeconds(flag: string, given: string | undefined, otherwise: number): number {
  if (given === undefined) return otherwise
  const seconds = /^\d{1,7}$/.test(given) ? Number(given) : 0
  if (seconds < 1 || seconds > MOST_SECONDS)
    throw new UsageError(`--${flag} must be a whole number from 1 to ${MOST_SECONDS}`)
  return seconds
}
