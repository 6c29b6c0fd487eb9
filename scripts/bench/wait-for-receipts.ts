import { setTimeout as sleep } from 'node:timers/promises'
import type { Tally } from '../lab/receiver/receipt.ts'
import type { ReceiverProcess } from '../lab/receiver/start-receiver-process.ts'

/** The room of the deliveries that are measured; whatever is beside them has rooms of its own. */
export const MEASURED = 'leads'

/** Waits until `count` deliveries have come to a room, or nothing has for `quietMs`. */
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
