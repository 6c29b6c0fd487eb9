import { setTimeout as sleep } from 'node:timers/promises'
import type { SlotShare } from '#core/fairness/slot-share.ts'

/** Milliseconds between two looks at what is still in flight. */
const LOOK_MS = 20

/**
 * Before a stop, so that it does not wait for silent endpoints with nobody being served: all goes on but for endpoints that are not
 * known to answer soon, until what is in flight there has its answers. Where other workers send, they serve whoever waits.
 * @param mostMs milliseconds after which it stops all the same
 */
export async function outlastSilent(
  share: Pick<SlotShare, 'isOnlyWorker' | 'keepToProved' | 'longestMs' | 'count'>,
  mostMs: number,
): Promise<void> {
  if (!share.isOnlyWorker() || mostMs <= 0) return
  share.keepToProved()
  const askedAt = performance.now()
  const passed = (): number => performance.now() - askedAt
  const isSilent = (): boolean => {
    const { new: unknown, slow } = share.count()
    return unknown + slow > 0 || share.longestMs() > passed()
  }
  while (passed() < mostMs && isSilent()) await sleep(LOOK_MS)
}
