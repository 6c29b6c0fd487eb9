import type { Express, Request } from 'express'
import type { Upgrades } from '#core/http/open-http-server.ts'
import type { Realtime } from './open-realtime.ts'
import { wantsSocket } from './wire/handshake.ts'

/** Hands requests for sockets to channels. They do not pass the app, but know its addresses of callers (`TRUST_PROXY`). */
export function acceptSockets(app: Express, { realtime }: { realtime: Realtime }): Upgrades {
  return {
    wants: wantsSocket,
    take: (request, connection, head) => {
      realtime.upgrade(Object.setPrototypeOf(request, app.request) as Request, connection, head)
    },
  }
}
