import { setTimeout as sleep } from 'node:timers/promises'
import got from 'got'

/** What the receiver saw since its last reset; times in milliseconds since the epoch. */
export interface ReceiverStats {
  first: number
  last: number
  count: number
  /** deliveries, repeats not counted */
  distinct: number
  bytes: number
  /** deliveries of a burst beside */
  bursts: number
}

const api = got.extend({ retry: { limit: 0 }, timeout: { request: 10_000 } })

export async function resetReceiver(url: string): Promise<void> {
  await api.post(`${url}/reset`)
}

/** [the moment each was meant to be sent, milliseconds from then until it came], for bodies that carry the moment. */
export async function readLatencies(url: string): Promise<Array<[number, number]>> {
  return await api(`${url}/latencies`).json<Array<[number, number]>>()
}

export async function readStats(url: string): Promise<ReceiverStats> {
  return await api(`${url}/stats`).json<ReceiverStats>()
}

/** Waits until `count` deliveries have come, or nothing has for `quietMs`. */
export async function waitForReceipts(url: string, count: number, quietMs: number): Promise<ReceiverStats> {
  let before = -1
  let changedAt = performance.now()
  for (;;) {
    const stats = await readStats(url)
    if (stats.distinct >= count) return stats
    if (stats.count !== before) {
      before = stats.count
      changedAt = performance.now()
    } else if (performance.now() - changedAt > quietMs) {
      return stats
    }
    await sleep(100)
  }
}
