import { noteClockJump, readClockMs } from '#core/data/operations/clock-jumps.ts'
import type { WorkerContext } from '#worker/context.ts'

/** A smaller difference is no jump: clocks are slewed by less, and an answer may wait for this process. */
const JUMP_MS = 1000

/**
 * Compares the time that passed by the database's clock with the time by this process's, which never jumps. If they
 * differ, times of leads cannot be subtracted from each other, and no late lead of that time is credited
 * (docs/product.md §10).
 * @param now a clock in milliseconds that never goes back
 */
export function createWatchClock(
  { db, logger }: Pick<WorkerContext, 'db' | 'logger'>,
  now: () => number = () => performance.now(),
): () => Promise<void> {
  let last: { clock: number; asked: number; answered: number } | undefined
  return async function watchClock() {
    const asked = now()
    const clock = await readClockMs(db)
    const read = { clock, asked, answered: now() }
    const before = last
    last = read
    if (before === undefined) return
    const passed = clock - before.clock
    // The clock was read at some moment between question and answer.
    const least = read.asked - before.answered
    const most = read.answered - before.asked
    const jumpedMs = passed < least ? passed - least : passed > most ? passed - most : 0
    if (Math.abs(jumpedMs) < JUMP_MS) return
    logger.warn({ jumped_ms: Math.round(jumpedMs) }, 'the clock of PostgreSQL jumped')
    await noteClockJump(db, { before: before.clock, after: clock, jumpedMs })
  }
}
