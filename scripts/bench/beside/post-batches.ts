import { request } from 'undici'
import { leadOf } from '../lead.ts'

const BATCH = 1000
const BATCHES_AT_ONCE = 4

/** Made beforehand: making them during the run would delay the generator. */
export function writeBatches(name: string, leads: number): Buffer[] {
  return Array.from({ length: Math.ceil(leads / BATCH) }, (_batch, batch) => {
    const from = batch * BATCH
    const length = Math.min(BATCH, leads - from)
    return Buffer.from(
      JSON.stringify(Array.from({ length }, (_lead, lead) => leadOf(`${name}-${from + lead}`, lead, 0))),
    )
  })
}

/** Returns how many were accepted. */
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
