import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** Time for a connection that was just opened to send its request. */
const FIRST_REQUEST_MS = 1000
/** Length of a turn of the event loop in which hardly anything happened. */
const QUIET_TURN_MS = 0.05
/** The longest wait for a quiet turn. */
const BUSY_LIMIT_MS = 1000

/**
 * Stops listening without resetting a connection that is about to send its request, so that a proxy which opens one for
 * each request loses none. Node's own `close` ends such a connection as an idle one. Resolves when idle connections have
 * been ended; those under way go on.
 */
export async function closeGently(server: Server): Promise<void> {
  await waitForQuietTurn(server)
  NetServer.prototype.close.call(server)
  await sleep(FIRST_REQUEST_MS)
  server.closeIdleConnections()
}

/**
 * A turn takes one new connection at most, and the others wait in the queue of the socket, where closing it would reset
 * them. After a turn that took none the queue is empty, and if the turn was short, it still is.
 */
async function waitForQuietTurn(server: Server): Promise<void> {
  let taken = 0
  const count = (): void => void (taken += 1)
  server.on('connection', count)
  const limit = performance.now() + BUSY_LIMIT_MS
  let began, before
  do {
    began = performance.now()
    before = taken
    await setImmediate()
  } while ((taken > before || performance.now() - began > QUIET_TURN_MS) && performance.now() < limit)
  server.off('connection', count)
}
