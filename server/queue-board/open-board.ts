import type { RequestHandler } from 'express'
import { askTogether } from '#core/concurrency/ask-together.ts'
import {
  findBoardDelivery,
  listBoardAttempts,
  listBoardDeliveries,
} from '#core/data/operations/board-deliveries.ts'
import { AppError } from '#core/errors.ts'
import { DELIVERIES_QUEUE } from '#core/queue/queues.ts'
import { chooseShard, listShards, queueInShard } from '#core/queue/shards.ts'
import type { ServerContext } from '../context.ts'
import { showQueues } from '../operations/admin/show-queues.ts'
import type { DeliveriesReader } from './deliveries-adapter.ts'
import { isUuid } from '../identity/is-uuid.ts'
import { QUEUE_BOARD_PATH } from './queue-session.ts'

/**
 * Makes the dashboard; its library is loaded with the first use. Deliveries are read from PostgreSQL, one queue for each
 * shard. Redis' own queues are read-only: pausing one would delay every client's leads, and a removed job would come
 * back. While Redis is away they are left out.
 */
export async function openBoard(context: ServerContext): Promise<RequestHandler> {
  const [{ createBullBoard }, { BullMQAdapter }, { ExpressAdapter }, { DeliveriesAdapter }] =
    await Promise.all([
      import('@bull-board/api'),
      import('@bull-board/api/bullMQAdapter'),
      import('@bull-board/express'),
      import('./deliveries-adapter.ts'),
    ])
  const serverAdapter = new ExpressAdapter()
  serverAdapter.setBasePath(QUEUE_BOARD_PATH)
  const { addQueue } = createBullBoard({
    queues: openReaders(context).map(([queue, reader]) => new DeliveriesAdapter(queue, reader)),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: 'Leadwire queues',
        miscLinks: [{ text: 'Administration', url: '/admin/deliveries' }],
        showMetrics: false,
        // The first queue is not in Redis.
        hideRedisDetails: true,
      },
    },
  })
  // Its own answer to an error is the error's message with a 500; errors thrown here are answered and logged
  // as everywhere else.
  serverAdapter.setErrorHandler((error) => {
    throw isOfRedis(error) ? queuesAway(error) : error
  })
  const addRedisQueues = async (): Promise<void> => {
    for (const queue of await context.operations.queues.get()) {
      const isWakeUps = queue.name.startsWith(DELIVERIES_QUEUE)
      const adapter = new BullMQAdapter(queue, {
        readOnlyMode: true,
        // The deliveries themselves have the name that operators know.
        ...(isWakeUps && { prefix: 'wake-ups of ', description: 'Wake-ups in Redis, not deliveries.' }),
      })
      adapter.setVisibilityGuard(() => context.announce.isReady())
      addQueue(adapter)
    }
  }
  let adding: Promise<void> | undefined
  const board = serverAdapter.getRouter() as RequestHandler
  return async (request, response, next) => {
    adding ??= addRedisQueues().catch(() => {
      adding = undefined
    })
    await adding
    await board(request, response, next)
  }
}

function openReaders(context: ServerContext): Array<[queue: string, reader: DeliveriesReader]> {
  const { shards } = context.config.redis
  // One page of the dashboard asks for every queue at once.
  const readQueues = askTogether(() => showQueues(context))
  return listShards(shards).map((shard) => {
    const isMine = (client: string): boolean => chooseShard(client, shards) === shard
    const readMine = async (): Promise<string[] | undefined> => {
      if (shards === 1) return undefined
      const { unfinished, dead, completed } = await context.operations.queueCounter.read()
      const all = [...unfinished, ...dead, ...completed]
      return all.filter((of) => isMine(of.client_user_id)).map((of) => of.webhook_config_id)
    }
    const reader: DeliveriesReader = {
      readQueues,
      list: async (page) => await listBoardDeliveries(context.db, { ...page, webhooks: await readMine() }),
      find: async (id) => {
        const delivery = isUuid(id) ? await findBoardDelivery(context.db, id) : undefined
        return delivery !== undefined && isMine(delivery.client_user_id) ? delivery : undefined
      },
      listAttempts: async (id) => (isUuid(id) ? await listBoardAttempts(context.db, id) : []),
    }
    return [queueInShard(DELIVERIES_QUEUE, shard), reader]
  })
}

/**
 * Redis' queues are only read, so an error means that Redis is away. PostgreSQL was there a moment ago, for the session;
 * what it refuses has a severity.
 */
function isOfRedis(error: Error): boolean {
  return !(error instanceof AppError || 'severity' in error)
}

function queuesAway(cause: unknown): AppError {
  const message = 'The queues cannot be read while Redis is away. Please try again.'
  return new AppError('unavailable', message, { cause })
}
