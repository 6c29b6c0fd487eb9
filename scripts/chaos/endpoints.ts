import type { Answer } from '../lab/receiver/give-answer.ts'
import { startReceiverProcess } from '../lab/receiver/start-receiver-process.ts'
import type { Manner } from '../lab/start-product.ts'
import type { Receipt } from './ledger.ts'

export interface Behaviour {
  endpoint: number
  behaviour: Answer
  /** a different answer to every tenth request */
  everyTenth?: Answer
}

/** The clients' endpoints as a scenario sees them: numbered from 0, each at /e/<number> of one receiver. */
export interface Endpoints {
  url: string
  behave: (orders: readonly Behaviour[]) => Promise<void>
  receipts: () => Promise<Receipt[]>
  /** open connections, ours included */
  connections: () => Promise<number>
  stop: () => Promise<unknown>
}

export async function startEndpoints(manner: Manner): Promise<Endpoints> {
  const { url, answerWith, receipts, connections, stop } = await startReceiverProcess(manner)
  return {
    url,
    behave: (orders) =>
      answerWith(
        orders.map(({ endpoint, behaviour, everyTenth }) => ({
          path: `/e/${endpoint}`,
          answer: behaviour,
          everyTenth,
        })),
      ),
    receipts: async () =>
      (await receipts()).map(({ path, ...receipt }) => ({
        ...receipt,
        endpoint: Number(/^\/e\/(\d+)/.exec(path)?.[1] ?? '-1'),
      })),
    connections,
    stop,
  }
}
