import { countTaken, sendAtPace } from '../../send-at-pace.ts'
import { setUpClients } from '../../set-up-clients.ts'
import type { BesideCase } from '../case.ts'

const ROOM = 'fan-out'

/**
 * This client posts its leads one by one and has as many healthy webhooks as allowed: each lead is a hundred
 * deliveries.
 */
export const FAN_OUT: BesideCase = {
  name: 'fan-out',
  who: 'a client whose 20 single leads a second go to 100 quick webhooks each',
  prepare: async ({ context: { receiver }, programs, agent, seconds, pick }) => {
    const { rate, endpoints } = pick({ rate: 20, endpoints: 100 }, { rate: 5, endpoints: 5 })
    const { url } = programs.server
    const clients = await setUpClients(url, [
      Array.from({ length: endpoints }, (_endpoint, index) => `${receiver.url}/${ROOM}/${index}`),
    ])
    const keyOf = (): string => clients[0]?.key ?? ''
    return {
      clients,
      disturb: async () => {
        const posts = await sendAtPace({ agent, url, rate, seconds, name: ROOM, keyOf })
        const planned = endpoints * countTaken(posts)
        return { planned, arriving: { [ROOM]: planned } }
      },
    }
  },
}
