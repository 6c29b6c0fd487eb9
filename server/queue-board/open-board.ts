import type { RequestHandler } from 'express'
import { AppError } from '#core/errors.ts'
import type { WatchedQueues } from '#core/queue/open-watched-queues.ts'
import { QUEUE_BOARD_PATH } from './queue-session.ts'

/**
 * Makes the dashboard, loaded only when somebody asks for it. All of it is read-only: pausing a queue would delay every
 * client's leads, and nothing else that it offers is needed, since PostgreSQL decides what is to be sent and a removed job
 * would come back.
 * @throws while Redis is away
 */
export async function openBoard(queues: WatchedQueues): Promise<RequestHandler> {
  const [{ createBullBoard }, { BullMQAdapter }, { ExpressAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/express'),
  ])
  const serverAdapter = new ExpressAdapter()
  serverAdapter.setBasePath(QUEUE_BOARD_PATH)
  createBullBoard({
    queues: (await queues.get()).map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter,
    options: {
      uiConfig: { boardTitle: 'Leadwire queues', miscLinks: [{ text: 'Administration', url: '/admin' }] },
    },
  })
  // Its own words are those of whatever failed, with a 500; what is thrown here is answered, and logged, as everywhere.
  serverAdapter.setErrorHandler((error) => {
    throw 'statusCode' in error ? error : queuesAway(error)
  })
  return serverAdapter.getRouter() as RequestHandler
}

/** It reads from Redis and does nothing else. */
export function queuesAway(cause: unknown): AppError {
  const message = 'The queues cannot be read while Redis is away. Please try again.'
  return new AppError('unavailable', message, { cause })
}
