import { createKeyring } from '#core/secrets/keyring.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import { DISPATCH, SHARE } from '#core/fairness/limits.ts'
import { cancelAllDeliveries } from '#core/data/webhooks/deliveries/cancel-deliveries.ts'
import { readSpeed, speedKey } from '#core/queue/read-queue-state.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import type { Answer } from '#scripts/lab/receiver/give-answer.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { createContext } from '#worker/context.ts'
import { startWorker } from '#worker/start-worker.ts'
import { waitUntil } from '../condition.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from './pipeline.ts'

/** Slots of each worker: few, so that a few silent endpoints could take them all. */
export const SLOTS = 20

/**
 * Several clients whose endpoints are paths of one receiver: those of `quick` are `/quick/0`, `/quick/1`, …
 */
export interface Neighbours {
  pipeline: TestPipeline
  crm: Receiver
  /** Creates a client with new, unknown webhooks, each for its own leads. */
  givenWebhooks: (name: string, count: number) => Promise<string>
  /** Creates a client whose endpoints have answered in good time, as the worker has recorded and learned. */
  givenKnown: (name: string, webhooks: number) => Promise<string>
  sendLeads: (client: string, count: number) => Promise<void>
  /** Sets the answer of endpoints of this name; `silent` lasts until all is calm again. */
  answer: (name: string, answer: Answer | 'silent') => void
  arrived: (name: string) => number
  /** Waits until no job is left in the queues, so that nothing is being planned either. */
  waitForNoJobs: () => Promise<void>
  /**
   * Waits until as many requests to endpoints of these names are in flight as allowed, when none of them
   * ends.
   */
  waitForTries: (...names: string[]) => Promise<void>
  startAnother: () => Promise<void>
  /**
   * Lets silent endpoints answer and waits until nothing is left, so that no test finds another's deliveries.
   */
  calm: () => Promise<void>
  close: () => Promise<void>
}

export async function startNeighbours(): Promise<Neighbours> {
  const clients: string[] = []
  const answers = new Map<string, Answer>()
  const closers: Array<() => Promise<void>> = []
  let silence = Promise.withResolvers<void>()
  const nameOf = (path: string): string => path.split('/')[1] ?? ''
  const crm = await startReceiver(({ path }) => answers.get(nameOf(path)) ?? 200)
  const pipeline = await startPipeline({
    WEBHOOK_CONCURRENCY: String(SLOTS),
    WEBHOOK_TIMEOUT_MS: '60000',
    WEBHOOK_RETRY_SCHEDULE: '3600',
  })

  const arrived = (name: string): number => crm.requests.filter(({ path }) => nameOf(path) === name).length
  const givenWebhooks = async (name: string, count: number): Promise<string> => {
    const client = await givenClient(pipeline.db)
    clients.push(client)
    for (let index = 0; index < count; index += 1) {
      await givenConfig(pipeline.context, client, {
        endpoint_url: `${crm.url}/${name}/${index}`,
        trigger_on_lead_created: true,
        trigger_on_lead_assigned: false,
      })
    }
    return client
  }
  const isKnown = async (client: string): Promise<boolean> => {
    const { db, redis, config } = pipeline.context
    const { rows } = await sql<{ id: string; is_recorded: boolean }>`
      select c.id, not exists (select from webhook_deliveries d where d.webhook_config_id = c.id and d.state = 'pending') as is_recorded
      from client_webhook_configs c where c.client_user_id = ${client}`.execute(db)
    const speeds = await redis.mget(rows.map(({ id }) => speedKey(queuePrefix(config.redis), id)))
    return rows.every((row) => row.is_recorded) && speeds.every((speed) => readSpeed(speed) === 'proved')
  }
  const sendLeads = async (client: string, count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1)
      await publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, client))
  }
  return {
    pipeline,
    crm,
    givenWebhooks,
    givenKnown: async (name, webhooks) => {
      const client = await givenWebhooks(name, webhooks)
      await sendLeads(client, 1)
      await waitUntil(() => arrived(name) === webhooks, { what: `the first lead of ${name}` })
      await waitUntil(() => isKnown(client), { what: `the answer of ${name} being known` })
      return client
    },
    sendLeads,
    answer: (name, answer) => {
      answers.set(name, answer === 'silent' ? { status: 200, after: silence.promise } : answer)
    },
    arrived,
    waitForNoJobs: async () => {
      const countJobs = async (): Promise<number> =>
        (await pipeline.context.watchedQueues.count())
          .flatMap(({ counts: { failed: _failed, ...open } }) => Object.values(open))
          .reduce((a, b) => a + b)
      // A request may take a minute, so those to silent endpoints are still in flight then.
      await waitUntil(async () => (await countJobs()) === 0, { what: 'no job being left', timeoutMs: 30_000 })
    },
    waitForTries: async (...names) => {
      const count = (): number => names.reduce((sum, name) => sum + arrived(name), 0)
      const before = count()
      const isAll = async (): Promise<boolean> => {
        const tried = count()
        // Longer than the time after which silent endpoints are in doubt and the next ones are tried.
        await sleep(SHARE.doubtMs + 2 * DISPATCH.againMs)
        return tried > before && count() === tried
      }
      await waitUntil(isAll, { what: `no more of ${names.join(' and ')} being tried` })
    },
    startAnother: async () => {
      const { config, logger } = pipeline.context
      const { context, close } = createContext(config, createKeyring(config.secretsKey ?? ''), logger)
      const worker = await startWorker(context, () => {
        throw new Error('The worker gave itself up')
      })
      closers.push(async () => {
        await worker.stop()
        await close()
      })
    },
    calm: async () => {
      for (const client of clients.splice(0)) await cancelAllDeliveries(pipeline.db, client, client)
      answers.clear()
      silence.resolve()
      silence = Promise.withResolvers<void>()
    },
    close: async () => {
      // Closed first, so that nothing waits for silent endpoints.
      await crm.close()
      await Promise.all(closers.map((end) => end()))
      await pipeline.close()
    },
  }
}

/** Inserts leads of a client whose deliveries wait, without a wake-up. */
export async function insertDue(db: Db, client: string, leads: number): Promise<void> {
  await sql`
    with made as (
      insert into leads (user_id, name, lead_type)
      select ${client}::uuid, 'Avery Example ' || n, 'final_expense' from generate_series(1, ${leads}::int) n
      returning id, user_id
    ), told as (
      insert into events (type, lead_id, client_user_id, planned_at, enqueued_at)
      select 'lead.created', id, user_id, now(), now() from made returning id, type, lead_id, client_user_id
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id)
    select t.id, t.type, c.id, t.client_user_id, t.lead_id
    from told t join client_webhook_configs c on c.client_user_id = t.client_user_id`.execute(db)
}
