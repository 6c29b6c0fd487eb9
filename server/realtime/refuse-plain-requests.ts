import { Router } from 'express'

const NO_BROADCAST =
  'This server sends no broadcasts. Channels at /realtime/v1/websocket tell changes of rows only.'

/**
 * Answers requests below /realtime/v1 that open no socket, in the form that the client library reads. None is 404, which
 * the library takes for an old server.
 */
export function refusePlainRequests(): Router {
  const router = Router()
  router.use('/websocket', (_request, response) => {
    response.set({ Upgrade: 'websocket', Connection: 'Upgrade', 'Cache-Control': 'no-store' })
    response.status(426).json({ error: 'Only a websocket can be opened here.' })
  })
  router.use((_request, response) => {
    response.set('Cache-Control', 'no-store').status(400).json({ error: NO_BROADCAST })
  })
  return router
}
