import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { setUpClients, type EndpointSettings } from '../../set-up-clients.ts'
import type { BesideCase } from '../case.ts'

const CALLERS = 50
/** The requests of a screen, and the longest that a client may make. */
const PAGES = ['leads?limit=100', 'webhook-configs', 'analytics/deliveries', 'analytics']
const LONGEST: EndpointSettings = {
  template: { text: 'a'.repeat(60_000) },
  customHeaders: Object.fromEntries(
    Array.from({ length: 30 }, (_header, index) => [`X-Token-${index}`, `${index}`.repeat(270)]),
  ),
}

/** A client's program calls the API again and again, as fast as it answers. */
export const READS: readonly BesideCase[] = [
  readsCase({
    name: 'reads',
    who: `a client who asks the API over ${CALLERS} connections, as fast as it answers`,
    pages: PAGES,
    webhooks: 1,
    settings: {},
  }),
  readsCase({
    name: 'lists',
    who: `a client who asks for his 100 webhooks with the longest settings over ${CALLERS} connections`,
    pages: ['webhook-configs'],
    webhooks: 100,
    settings: LONGEST,
  }),
]

function readsCase(options: {
  name: string
  who: string
  pages: readonly string[]
  webhooks: number
  settings: EndpointSettings
}): BesideCase {
  const { name, who, pages } = options
  return {
    name,
    who,
    prepare: async ({ context: { receiver }, programs, seconds, pick }) => {
      const { url } = programs.server
      const webhooks = Math.min(options.webhooks, pick(options.webhooks, 3))
      const rooms = Array.from({ length: webhooks }, (_webhook, index) => `${receiver.url}/reads/${index}`)
      const clients = await setUpClients(url, [rooms], options.settings)
      const headers = { authorization: `Bearer ${clients[0]?.token ?? ''}` }
      return {
        clients,
        disturb: async () => {
          const agent = new Agent({ connections: CALLERS, pipelining: 1 })
          const endsAt = performance.now() + seconds * 1000
          const ask = async (_caller: unknown, index: number): Promise<void> => {
            for (let asked = index; performance.now() < endsAt; asked += 1) {
              const path = pages[asked % pages.length] ?? ''
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
}
