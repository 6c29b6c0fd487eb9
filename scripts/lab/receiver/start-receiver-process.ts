import got from 'got'
import { freePort } from '../../services/free-port.ts'
import type { Manner } from '../start-product.ts'
import { startProcess, type LabProcess } from '../start-process.ts'
import { CONTROL, type AnswerOrder, type Receipt, type Tally } from './receipt.ts'

/** The receiver process (receiver-process.ts), as its starter sees it. */
export interface ReceiverProcess {
  url: string
  pid: LabProcess['pid']
  answerWith: (orders: readonly AnswerOrder[]) => Promise<void>
  receipts: () => Promise<Receipt[]>
  tally: (room: string) => Promise<Tally>
  /** Deletes the receipts; the orders for answers stay. */
  reset: () => Promise<void>
  /** open connections, ours included */
  connections: () => Promise<number>
  stop: LabProcess['stop']
}

export async function startReceiverProcess(manner: Manner = {}): Promise<ReceiverProcess> {
  const port = String(await freePort())
  const { pid, stop } = await startProcess({
    name: 'receiver',
    ...manner,
    script: 'scripts/lab/receiver/receiver-process.ts',
    env: { RECEIVER_PORT: port },
    isReady: 'receiver ready',
  })
  const url = `http://127.0.0.1:${port}`
  const control = got.extend({
    prefixUrl: `${url}${CONTROL}`,
    retry: { limit: 0 },
    timeout: { request: 30_000 },
  })
  return {
    url,
    pid,
    answerWith: async (orders) => void (await control.post('answers', { json: orders })),
    receipts: () => control('receipts').json<Receipt[]>(),
    tally: (room) => control('tally', { searchParams: { room } }).json<Tally>(),
    reset: async () => void (await control.post('reset')),
    connections: () => control('connections').json<number>(),
    stop,
  }
}
