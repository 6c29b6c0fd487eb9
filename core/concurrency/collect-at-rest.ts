import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openGiveBack } from './give-back-freed.ts'

/** Milliseconds between two looks. */
const LOOK_MS = 10_000
/** A process counts as resting if its thread was busy for at most this part of the time since the last look. */
const RESTS_BELOW = 0.05
/** Bytes of growth since the last collection for which another one is worth its cost. */
const WORTH_BYTES = 32 * 1024 * 1024

/** The state of a process between two looks. */
export interface Look {
  /** part of the time in which its thread was busy, 0 to 1 */
  busy: number
  residentBytes: number
  /** lowest number of resident bytes since the last collection; 0 before the first */
  leastBytes: number
}

export const isWorthCollecting = ({ busy, residentBytes, leastBytes }: Look): boolean =>
  busy <= RESTS_BELOW && residentBytes - leastBytes >= WORTH_BYTES

/**
 * Collects garbage when the process rests. Otherwise an idle process would keep the garbage of its last load. V8 lets
 * the heap grow to four times its live size before it collects, and gives memory back only then. A collection takes 0.1
 * s of processor time.
 */
export function collectAtRest(lookMs = LOOK_MS): void {
  // This is the only way to V8's collector from inside. A command line flag would give every module access to it.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  const giveBack = openGiveBack()
  let leastBytes = 0
  let before = performance.eventLoopUtilization()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization: busy } = performance.eventLoopUtilization(now, before)
    before = now
    const residentBytes = process.memoryUsage.rss()
    if (isWorthCollecting({ busy, residentBytes, leastBytes })) {
      // This kind of collection also gives back the pages that V8 would keep for the next load.
      collect({ type: 'major', flavor: 'last-resort' })
      giveBack()
      leastBytes = process.memoryUsage.rss()
    } else if (leastBytes > 0) leastBytes = Math.min(leastBytes, residentBytes)
  }, lookMs).unref()
}
