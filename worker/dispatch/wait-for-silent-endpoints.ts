import { setTimeout as sleep } from 'node:timers/promises'
import type { SlotPool } from './slot-pool.ts'

/** Milliseconds between two looks at what is still in flight. */
const LOOK_MS = 20
/** Milliseconds within which workers that are stopped together have all left. */
const TOGETHER_MS = 1000

/**
 * Runs before a stop. It waits until the requests in flight to silent endpoints have answers. Meanwhile the worker
 * serves only endpoints known to answer soon, and other workers serve the rest. Without this, the stop would wait for
 * silent endpoints while nobody is served.
 * @param mostMs milliseconds after which it stops anyway
 * @param leave tells the other workers, and tells the slot pool how many they are
 */
export async function waitForSilentEndpoints(
  slotPool: Pick<SlotPool, 'isOnlyWorker' | 'keepToProved' | 'longestMs' | 'count'>,
  mostMs: number,
  leave: () => Promise<void>,
): Promise<void> {
  const askedAt = performance.now()
  const passed = (): number => performance.now() - askedAt
  const isSilent = (): boolean => {
    const { new: unknown, slow } = slotPool.count()
    return passed() < mostMs && (unknown + slow > 0 || slotPool.longestMs() > passed())
  }
  await leave()
  if (isSilent() && !slotPool.isOnlyWorker()) {
    await sleep(TOGETHER_MS)
    await leave()
  }
  if (!slotPool.isOnlyWorker()) return
  while (isSilent()) {
    slotPool.keepToProved()
    await sleep(LOOK_MS)
  }
}
