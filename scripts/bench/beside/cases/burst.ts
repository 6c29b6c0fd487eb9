import { now } from '../../../lab/now.ts'
import { postBatches, writeBatches } from '../post-batches.ts'
import { setUpClients } from '../../set-up-clients.ts'
import { waitForReceipts } from '../../wait-for-receipts.ts'
import type { BesideCase } from '../case.ts'

const ROOM = 'burst'
const QUIET_MS = 60_000

/**
 * A source posts very many leads at once, in batches, while single leads arrive; then again without anybody
 * else.
 */
export const BURST: BesideCase = {
  name: 'burst',
  who: 'a client whose source posts 20,000 leads at once',
  aims: { quantile: 'p99', drainShare: 0.8 },
  prepare: async ({ context: { receiver }, programs, pick }) => {
    const leads = pick(20_000, 300)
    const { url } = programs.server
    const clients = await setUpClients(url, [[`${receiver.url}/${ROOM}`]])
    const key = clients[0]?.key ?? ''
    const beside = writeBatches('beside', leads)
    return {
      clients,
      disturb: async () => {
        const taken = await postBatches(url, key, beside)
        return { planned: taken, arriving: { [ROOM]: taken } }
      },
      drainAlone: async () => {
        const alone = writeBatches('alone', leads)
        await receiver.reset()
        const from = now()
        const taken = await postBatches(url, key, alone)
        const { distinct, last } = await waitForReceipts(receiver, ROOM, taken, QUIET_MS)
        return (distinct * 1000) / (last - from)
      },
    }
  },
}
