import { setTimeout as sleep } from 'node:timers/promises'
import type { Tally } from '../lab/receiver/receipt.ts'
import type { ReceiverProcess } from '../lab/receiver/start-receiver-process.ts'

/** The room of the measured deliveries; all others have their own rooms. */
export const MEASURED = 'leads'

/** Waits until `count` deliveries have reached a room, or none has for `quietMs`. */
export async function waitForReceipts(
  receiver: ReceiverProcess,
  room: string,
  count: number,
  quietMs: number,
): Promise<Tally> {
  let before = -1
  let changedAt = performance.now()
  for (;;) {
    const tally = await receiver.tally(room)
    if (tally.distinct >= count) return tally
    if (tally.count !== before) {
      before = tally.count
      changedAt = performance.now()
    } else if (performance.now() - changedAt > quietMs) {
      return tally
    }
    await sleep(100)
  }
}
