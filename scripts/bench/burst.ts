import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { now } from '../lab/now.ts'
import type { ReceiverProcess } from '../lab/receiver/start-receiver-process.ts'
import { leadOf } from './lead.ts'

const BURST_LEADS = 20_000
const BATCH = 1000
const BATCHES_AT_ONCE = 4
/** after the warm-up */
export const BURST_AFTER_MS = 2000

const QUIET_MS = 15_000

/** Written beforehand: making them costs the generator the time in which it should be punctual. */
export function burstBatches(): Buffer[] {
  return Array.from({ length: BURST_LEADS / BATCH }, (_batch, batch) =>
    Buffer.from(
      JSON.stringify(
        Array.from({ length: BATCH }, (_lead, lead) => leadOf(`burst-${batch * BATCH + lead}`, lead, 0)),
      ),
    ),
  )
}

/** Answers how many were accepted. */
export async function postBatches(url: string, key: string, batches: readonly Buffer[]): Promise<number> {
  const left = [...batches]
  let accepted = 0
  const poster = async (): Promise<void> => {
    for (let body = left.shift(); body !== undefined; body = left.shift()) {
      const answer = await request(`${url}/api/v1/leads/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        headersTimeout: 120_000,
        body,
      })
      accepted += (await answer.body.text()).match(/"accepted"/g)?.length ?? 0
    }
  }
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, poster))
  return accepted
}

export async function waitForBurst(
  receiver: ReceiverProcess,
  acked: number,
  startedAt: number,
): Promise<{ acked: number; delivered: number; seconds: number }> {
  let before = -1
  let changedAt = now()
  for (;;) {
    const { distinct: bursts } = await receiver.tally('burst')
    if (bursts !== before) changedAt = now()
    before = bursts
    if (bursts >= acked || now() - changedAt > QUIET_MS) {
      return { acked, delivered: bursts, seconds: (changedAt - startedAt) / 1000 }
    }
    await sleep(100)
  }
}
