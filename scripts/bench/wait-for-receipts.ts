import { setTimeout as sleep } from 'node:timers/promises'
import type { Tally } from '../lab/receiver/receipt.ts'
import type { ReceiverProcess } from '../lab/receiver/start-receiver-process.ts'

/** Where the deliveries go that are measured; those to bad neighbours and of a burst beside are counted by themselves. */
const MEASURED = 'leads'

/** Waits until `count` deliveries have come, or nothing has for `quietMs`. */
export async function waitForReceipts(
  receiver: ReceiverProcess,
  count: number,
  quietMs: number,
): Promise<Tally> {
  let before = -1
  let changedAt = performance.now()
  for (;;) {
    const tally = await receiver.tally(MEASURED)
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

/** [the moment each was meant to be sent, milliseconds from then until it came], for bodies that carry the moment. */
export async function readLatencies(receiver: ReceiverProcess): Promise<Array<[number, number]>> {
  const receipts = await receiver.receipts()
  return receipts.flatMap(({ path, intended, at }): Array<[number, number]> =>
    path.startsWith(`/${MEASURED}`) && intended !== null ? [[intended, at - intended]] : [],
  )
}
