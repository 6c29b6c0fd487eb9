import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** Time for a connection that was just opened to send its request. */
const FIRST_REQUEST_MS = 1000

/**
 * Stops listening without resetting a connection that is about to send its request, so that a proxy which opens one for
 * each request loses none. Node's own `close` ends such a connection as an idle one. Resolves when idle connections have
 * been ended; those under way go on.
 */
export async function closeGently(server: Server): Promise<void> {
  // Runs right after the turn's new connections have been taken, so that none waits in the queue of the socket.
  await setImmediate()
  NetServer.prototype.close.call(server)
  await sleep(FIRST_REQUEST_MS)
  server.closeIdleConnections()
}
