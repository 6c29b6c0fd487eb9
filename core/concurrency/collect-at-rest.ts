import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openGiveBack } from './give-back-freed.ts'

/** Milliseconds between two looks. */
const LOOK_MS = 10_000
/** A process rests that used its thread for no more than this part of the time since the last look. */
const RESTS_BELOW = 0.05
/** Bytes of growth since the last collection that are worth another one. */
const WORTH_BYTES = 32 * 1024 * 1024

/** The state of a process between two looks. */
export interface Look {
  /** part of the time in which its thread was busy, 0 to 1 */
  busy: number
  residentBytes: number
  /** least resident bytes seen since the last collection; 0 before the first */
  leastBytes: number
}

export const isWorthCollecting = ({ busy, residentBytes, leastBytes }: Look): boolean =>
  busy <= RESTS_BELOW && residentBytes - leastBytes >= WORTH_BYTES

/**
 * Collects garbage when the process rests. V8 lets the heap grow to four times of what lives before it collects, and begins to give memory
 * back only with a collection: a process that becomes idle keeps the garbage of its last load. A collection takes 0.1 s of processor time.
 */
export function collectAtRest(lookMs = LOOK_MS): void {
  // The only way to V8's collector from inside; as a flag of the command line it would be open to every module.
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
      // This kind also gives back the pages that V8 would keep for the next load.
      collect({ type: 'major', flavor: 'last-resort' })
      giveBack()
      leastBytes = process.memoryUsage.rss()
    } else if (leastBytes > 0) leastBytes = Math.min(leastBytes, residentBytes)
  }, lookMs).unref()
}
