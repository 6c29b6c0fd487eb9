import { enqueueDeliveries } from '../../enqueue-deliveries.ts'
import { prepareDeliveries } from '../../prepare.ts'
import { setUpClients } from '../../set-up-clients.ts'
import { waitForReceipts } from '../../wait-for-receipts.ts'
import type { BesideCase } from '../case.ts'
import { postAtOnce } from '../post-at-once.ts'

const ROOM = 'proved'
const FIRST_LEADS = 10
const QUIET_MS = 60_000

/**
 * Two endpoints that have always answered, and so may have many requests at once, fall silent while many
 * deliveries wait.
 */
export const TURN_SILENT: BesideCase = {
  name: 'turn-silent',
  who: 'a client whose two proved endpoints fall silent while 5,000 deliveries wait for them',
  prepare: async (stage) => {
    const { context, programs, pick } = stage
    const { db, receiver } = context
    const waiting = pick(5000, 100)
    const paths = [0, 1].map((index) => `/${ROOM}/${index}`)
    await receiver.answerWith(paths.map((path) => ({ path, answer: 'ok' })))
    const endpoints = paths.map((path) => `${receiver.url}${path}`)
    const clients = await setUpClients(programs.server.url, [endpoints])
    const [client] = clients
    if (client === undefined) throw new Error('There is no client')
    const { id, configurations } = client
    await waitForReceipts(receiver, ROOM, await postAtOnce(stage, ROOM, clients, FIRST_LEADS), QUIET_MS)
    return {
      clients,
      disturb: async () => {
        await receiver.answerWith(paths.map((path) => ({ path, answer: 'hang' })))
        await enqueueDeliveries(context, await prepareDeliveries(db, { client: id, configurations }, waiting))
        return { planned: waiting }
      },
    }
  },
}
