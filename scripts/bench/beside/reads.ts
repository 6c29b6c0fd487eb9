import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { setUpClients } from '../set-up-clients.ts'
import type { BesideCase } from './case.ts'

const CALLERS = 50
const PAGES = ['leads?limit=100', 'webhook-configs', 'analytics/deliveries', 'analytics']

/** A client's own program, or a careless one, asks the API again and again, as fast as it answers. */
export const READS: BesideCase = {
  name: 'reads',
  who: `a client who asks the API over ${CALLERS} connections, as fast as it answers`,
  prepare: async ({ context: { receiver }, programs, seconds, pick }) => {
    const { url } = programs.server
    const clients = await setUpClients(url, [[`${receiver.url}/reads`]])
    const headers = { authorization: `Bearer ${clients[0]?.token ?? ''}` }
    return {
      clients,
      disturb: async () => {
        const agent = new Agent({ connections: CALLERS, pipelining: 1 })
        const endsAt = performance.now() + seconds * 1000
        const ask = async (_caller: unknown, index: number): Promise<void> => {
          for (let asked = index; performance.now() < endsAt; asked += 1) {
            const path = PAGES[asked % PAGES.length] ?? ''
            const answer = await request(`${url}/api/v1/${path}`, { headers, dispatcher: agent })
            const text = await answer.body.text()
            if (answer.statusCode === 429) await sleep(1000 * Number(answer.headers['retry-after'] ?? 1))
            else if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`)
          }
        }
        try {
          await Promise.all(Array.from({ length: pick(CALLERS, 5) }, ask))
        } finally {
          await agent.destroy()
        }
        return { planned: 0 }
      },
    }
  },
}
