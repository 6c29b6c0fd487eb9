import { postBatches, writeBatches } from '../post-batches.ts'
import { setUpClients } from '../../set-up-clients.ts'
import type { BesideCase } from '../case.ts'

const ROOM = 'quick'

/** This client's endpoints are healthy, but there are many, so that each lead is many deliveries. */
export const QUICK: BesideCase = {
  name: 'quick',
  who: 'a client whose 1,500 leads go to 20 quick webhooks each',
  prepare: async ({ context: { receiver }, programs, pick }) => {
    const { leads, endpoints } = pick({ leads: 1500, endpoints: 20 }, { leads: 30, endpoints: 5 })
    const { url } = programs.server
    const clients = await setUpClients(url, [
      Array.from({ length: endpoints }, (_endpoint, index) => `${receiver.url}/${ROOM}/${index}`),
    ])
    const batches = writeBatches(ROOM, leads)
    return {
      clients,
      disturb: async () => {
        const planned = endpoints * (await postBatches(url, clients[0]?.key ?? '', batches))
        return { planned, arriving: { [ROOM]: planned } }
      },
    }
  },
}
