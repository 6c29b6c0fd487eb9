import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { leadOf } from '../../lead.ts'
import { setUpClients } from '../../set-up-clients.ts'
import type { BesideCase } from '../case.ts'

const ROOM = 'posts'
const CALLERS = 50

/** A source posts its leads one by one, over many connections, each as soon as the one before is answered. */
export const POSTS: BesideCase = {
  name: 'posts',
  who: `a client whose source posts single leads over ${CALLERS} connections, as fast as they are answered`,
  prepare: async ({ context: { receiver }, programs, seconds, pick }) => {
    const { url } = programs.server
    const clients = await setUpClients(url, [[`${receiver.url}/${ROOM}`]])
    const headers = { authorization: `Bearer ${clients[0]?.key ?? ''}`, 'content-type': 'application/json' }
    return {
      clients,
      disturb: async () => {
        const agent = new Agent({ connections: CALLERS, pipelining: 1 })
        const endsAt = performance.now() + seconds * 1000
        let taken = 0
        const post = async (_caller: unknown, caller: number): Promise<void> => {
          for (let posted = 0; performance.now() < endsAt; posted += 1) {
            const lead = leadOf(`${ROOM}-${caller}-${posted}`, posted, 0)
            const answer = await request(`${url}/api/v1/leads`, {
              method: 'POST',
              headers,
              dispatcher: agent,
              body: JSON.stringify(lead),
            })
            const text = await answer.body.text()
            if (answer.statusCode === 201) taken += 1
            else if (answer.statusCode === 429) await sleep(1000 * Number(answer.headers['retry-after'] ?? 1))
            else throw new Error(`A lead: ${answer.statusCode} ${text}`)
          }
        }
        try {
          await Promise.all(Array.from({ length: pick(CALLERS, 2) }, post))
        } finally {
          await agent.destroy()
        }
        return { planned: taken, arriving: { [ROOM]: taken } }
      },
    }
  },
}
