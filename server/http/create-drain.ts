import type { RequestListener, ServerResponse } from 'node:http'

/** The requests of a server that may have to stop. */
export interface Drain {
  listener: RequestListener
  /**
   * From now on `/readyz` answers 503, so that proxies and load balancers send no more, and each answer ends its
   * connection. Other requests are still handled.
   */
  begin: () => void
}

export function createDrain(app: RequestListener): Drain {
  let isDraining = false
  const underWay = new Set<ServerResponse>()
  return {
    listener: (request, response) => {
      underWay.add(response)
      response.once('close', () => underWay.delete(response))
      if (isDraining) response.setHeader('Connection', 'close')
      if (isDraining && request.url === '/readyz')
        response
          .writeHead(503, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
          .end(JSON.stringify({ status: 'not ready', missing: ['server'] }))
      else app(request, response)
    },
    begin: () => {
      isDraining = true
      // A keep-alive connection would delay the stop until its client closes it.
      for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close')
    },
  }
}
