import got from 'got'
import type { Behaviour } from './behaviours.ts'
import type { Receipt } from './ledger.ts'

/** The receiver process as a scenario sees it. */
export interface ReceiverClient {
  url: string
  behave: (orders: ReadonlyArray<{ endpoint: number; behaviour: Behaviour }>) => Promise<void>
  receipts: () => Promise<Receipt[]>
  /** connections open now, ours included */
  connections: () => Promise<number>
}

export function connectReceiver(url: string): ReceiverClient {
  const api = got.extend({ retry: { limit: 0 }, timeout: { request: 30_000 } })
  return {
    url,
    behave: async (orders) => {
      await api.post(`${url}/behave`, { json: orders })
    },
    receipts: () => api(`${url}/ledger`).json<Receipt[]>(),
    connections: async () => Number(await api(`${url}/connections`).text()),
  }
}
