import type { BesideCase } from '../case.ts'
import { postAtOnce } from '../post-at-once.ts'
import { setUpSilentClients } from '../set-up-silent-clients.ts'

interface Size {
  clients?: number
  endpoints: number
  leads: number
}

/** New webhooks that never answer; their clients' leads arrive all at once. */
const fresh = (name: string, who: string, whole: Size, small: Size): BesideCase => ({
  name,
  who,
  prepare: async (stage) => {
    const { clients: count = 1, endpoints, leads } = stage.pick(whole, small)
    const clients = await setUpSilentClients(stage, count, endpoints)
    return {
      clients,
      disturb: async () => ({ planned: await postAtOnce(stage, name, clients, leads) }),
    }
  },
})

const SILENT = 'new webhooks that never answer'

/** The leads of twelve presses of a button, and one lead to more and more webhooks. */
export const FRESH: readonly BesideCase[] = [
  fresh(
    'fresh',
    `a client with 10 ${SILENT}, and 12 leads`,
    { endpoints: 10, leads: 12 },
    { endpoints: 4, leads: 3 },
  ),
  fresh(
    'fresh-100',
    `a client with 100 ${SILENT}, and one lead`,
    { endpoints: 100, leads: 1 },
    { endpoints: 20, leads: 1 },
  ),
  fresh(
    'fresh-300',
    `a client with 300 ${SILENT}, and one lead`,
    { endpoints: 300, leads: 1 },
    { endpoints: 40, leads: 1 },
  ),
  fresh(
    'fresh-10000',
    `a client with 10,000 ${SILENT}, and one lead`,
    { endpoints: 10_000, leads: 1 },
    { endpoints: 400, leads: 1 },
  ),
  fresh(
    'hostile',
    `twenty clients with 10 ${SILENT} each, and 12 leads each`,
    { clients: 20, endpoints: 10, leads: 12 },
    { clients: 3, endpoints: 3, leads: 2 },
  ),
]
