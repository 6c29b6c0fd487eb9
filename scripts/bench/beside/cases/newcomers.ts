import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { setUpClients } from '../../set-up-clients.ts'
import type { BesideCase } from '../case.ts'

const ACCOUNTS = 50
const CALLERS = 100
/** About the longest template. */
const BODY = JSON.stringify({ payload_template: { name: '{{name}}', text: 'a'.repeat(60_000) } })

/** One person opens many accounts, and makes slow requests with all of them. */
export const NEWCOMERS: BesideCase = {
  name: 'newcomers',
  who: `${ACCOUNTS} accounts that nobody has approved, which ask for previews over ${CALLERS} connections`,
  prepare: async ({ programs, seconds, pick }) => {
    const { url } = programs.server
    const accounts = Array.from({ length: pick(ACCOUNTS, 3) }, () => [])
    const clients = await setUpClients(url, accounts, { isApproved: false })
    return {
      clients,
      disturb: async () => {
        const agent = new Agent({ connections: CALLERS, pipelining: 1 })
        const endsAt = performance.now() + seconds * 1000
        const ask = async (_caller: unknown, index: number): Promise<void> => {
          const authorization = `Bearer ${clients[index % clients.length]?.token ?? ''}`
          while (performance.now() < endsAt) {
            const answer = await request(`${url}/api/v1/webhook-configs/preview`, {
              method: 'POST',
              headers: { authorization, 'content-type': 'application/json' },
              dispatcher: agent,
              body: BODY,
            })
            const text = await answer.body.text()
            if (answer.statusCode === 429) await sleep(1000 * Number(answer.headers['retry-after'] ?? 1))
            else if (answer.statusCode !== 200) throw new Error(`A preview: ${answer.statusCode} ${text}`)
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
