import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { setUpClients } from '../../set-up-clients.ts'
import type { BesideCase } from '../case.ts'

const CALLERS = 10
/**
 * Just under the five megabytes of the largest batch: as many values as fit, and as few leads above the limit
 * as possible, each as long as possible.
 */
const BODIES_OF_NOTHING = [
  `[${Array.from({ length: 1_700_000 }, () => '{}').join(',')}]`,
  `[${Array.from({ length: 1001 }, () => `{"comments":"${String.raw`\u0041`.repeat(850)}"}`).join(',')}]`,
].map((text) => Buffer.from(text))

/** A broken or malicious program posts the longest possible batches of nothing. */
export const BODIES: BesideCase = {
  name: 'bodies',
  who: `a client whose source posts batches of 5 MB that hold no leads, over ${CALLERS} connections`,
  prepare: async ({ context: { receiver }, programs, seconds, pick }) => {
    const { url } = programs.server
    const clients = await setUpClients(url, [[`${receiver.url}/bodies`]])
    const headers = { authorization: `Bearer ${clients[0]?.key ?? ''}`, 'content-type': 'application/json' }
    return {
      clients,
      disturb: async () => {
        const agent = new Agent({ connections: CALLERS, pipelining: 1 })
        const endsAt = performance.now() + seconds * 1000
        const post = async (_caller: unknown, index: number): Promise<void> => {
          for (let posted = index; performance.now() < endsAt; posted += 1) {
            const answer = await request(`${url}/api/v1/leads/batch`, {
              method: 'POST',
              headers,
              dispatcher: agent,
              body: BODIES_OF_NOTHING[posted % 2] ?? '',
            })
            const text = await answer.body.text()
            if (answer.statusCode === 429) await sleep(1000 * Number(answer.headers['retry-after'] ?? 1))
            else if (answer.statusCode !== 400 && answer.statusCode !== 422)
              throw new Error(`A batch of nothing: ${answer.statusCode} ${text}`)
          }
        }
        try {
          await Promise.all(Array.from({ length: pick(CALLERS, 1) }, post))
        } finally {
          await agent.destroy()
        }
        return { planned: 0 }
      },
    }
  },
}
