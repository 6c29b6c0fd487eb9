import got from 'got'
import { sql } from 'kysely'
import type { ResendFailedResult } from '#core/contract/webhooks/resend.ts'
import { prepareDeliveries } from '../../prepare.ts'
import type { BenchContext } from '../../services.ts'
import { setUpClients, type BenchClient } from '../../set-up-clients.ts'
import { waitForReceipts } from '../../wait-for-receipts.ts'
import type { BesideCase } from '../case.ts'
import { postAtOnce } from '../post-at-once.ts'

const ROOM = 'replay'
const FIRST_LEADS = 5
const QUIET_MS = 60_000
const AN_HOUR_MS = 3_600_000

/** A client whose endpoint was away resends everything that failed, with the button for it. */
export const REPLAY: BesideCase = {
  name: 'replay',
  who: 'a client who replays 50,000 deliveries',
  prepare: async (stage) => {
    const { context, programs, pick } = stage
    const { receiver } = context
    const { url } = programs.server
    const clients = await setUpClients(url, [[`${receiver.url}/${ROOM}`]])
    const [client] = clients
    if (client === undefined) throw new Error('There is no client')
    await waitForReceipts(receiver, ROOM, await postAtOnce(stage, ROOM, clients, FIRST_LEADS), QUIET_MS)
    await insertFailed(context, client, pick(50_000, 300))
    return {
      clients,
      disturb: async () => {
        const planned = await replayAll(url, client)
        return { planned, arriving: { [ROOM]: planned } }
      },
    }
  },
}

/**
 * Inserts deliveries that finally failed. Nobody sees them waiting, because they are committed as a whole.
 */
async function insertFailed({ db }: BenchContext, client: BenchClient, count: number): Promise<void> {
  const { id, configurations } = client
  await db.transaction().execute(async (trx) => {
    await prepareDeliveries(trx, { client: id, configurations }, count)
    await sql`
      update webhook_deliveries
      set state = 'failed', attempt = 8, next_attempt_at = null, finished_at = now(), failure_class = 'timeout'
      where client_user_id = ${id} and state = 'pending'`.execute(trx)
  })
  await sql`vacuum analyze leads, events, webhook_deliveries`.execute(db)
}

/**
 * Presses the button until nothing is left, because each press takes a limited number. Returns how many were
 * resent.
 */
async function replayAll(url: string, { token, configurations }: BenchClient): Promise<number> {
  const since = new Date(Date.now() - AN_HOUR_MS).toISOString()
  let sent = 0
  for (;;) {
    const { count } = await got
      .post(`${url}/api/v1/webhook-configs/${configurations[0]}/resend-failed`, {
        headers: { authorization: `Bearer ${token}` },
        json: { since },
        retry: { limit: 0 },
      })
      .json<ResendFailedResult>()
    if (count === 0) return sent
    sent += count
  }
}
