import type { RequestHandler } from 'express'
import { AppError } from '#core/errors.ts'
import type { WatchedQueues } from '#core/queue/open-watched-queues.ts'
import { QUEUE_BOARD_PATH } from './queue-session.ts'

/**
 * Makes the dashboard; its library is loaded with the first use. It is read-only: pausing a queue would delay
 * every client's leads. Nothing else that it offers is needed, because PostgreSQL decides what is sent and a
 * removed job would come back.
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
  // Its own answer to an error is the error's message with a 500; errors thrown here are answered and logged
  // as everywhere else.
  serverAdapter.setErrorHandler((error) => {
    throw 'statusCode' in error ? error : queuesAway(error)
  })
  return serverAdapter.getRouter() as RequestHandler
}

/** The dashboard only reads from Redis, so an error means that Redis is away. */
export function queuesAway(cause: unknown): AppError {
  const message = 'The queues cannot be read while Redis is away. Please try again.'
  return new AppError('unavailable', message, { cause })
}
