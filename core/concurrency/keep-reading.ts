import { askTogether } from './ask-together.ts'

/** A reading is kept for this many times as long as it took: a caller costs at most a tenth of a connection. */
const KEPT_TIMES = 10
/** An older reading is not shown: its caller waits for a new one. Screens say how old a reading is. */
const OLDEST_MS = 60_000

/**
 * Shares a costly reading among all who ask. A quick one is nearly always fresh. A slow one is answered at once from
 * the last, which is at most a minute old, while a new one is read.
 * @param now milliseconds of a clock that never goes back
 */
export function keepReading<Reading>(
  read: () => Promise<Reading>,
  now: () => number = () => performance.now(),
): { get: () => Promise<Reading>; forget: () => void } {
  let last: { reading: Reading; at: number; keptMs: number } | undefined
  let changes = 0
  const readNow = async (): Promise<Reading> => {
    const began = now()
    const before = changes
    const reading = await read()
    if (before === changes) last = { reading, at: began, keptMs: (now() - began) * KEPT_TIMES }
    return reading
  }
  let renew = askTogether(readNow)
  return {
    get: async () => {
      const age = last === undefined ? Infinity : now() - last.at
      if (last === undefined || age > OLDEST_MS) return await renew()
      // If it fails, the next caller tries again, and waits once the last reading is too old.
      if (age > last.keptMs) renew().catch(() => undefined)
      return last.reading
    },
    forget: () => {
      changes += 1
      last = undefined
      renew = askTogether(readNow)
    },
  }
}
