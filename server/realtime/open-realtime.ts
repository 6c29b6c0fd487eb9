import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Request } from 'express'
import type { Opened } from '#core/closing.ts'
import type { Logger } from '#core/telemetry/logger.ts'
import { loadOnce } from '#core/load-once.ts'
import { createSayOnce } from '#core/telemetry/say-once.ts'
import { SOCKETS } from '../admission/limits.ts'
import { readCaller } from '../identity/caller.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { identifyListener } from '../identity/identify-listener.ts'
import { blockOf } from '../identity/network-of.ts'
import type { OpenSocket, SocketContext } from './sockets/serve-socket.ts'
import { createSocketPlaces } from './sockets/socket-places.ts'
import { readHandshake, refuseHandshake, type HandshakeRefusal } from './wire/handshake.ts'

const SWEEP_MS = 10_000
/** Time for a client to answer the end of its socket. */
const CLOSE_MS = 2000
const WS = {
  noServer: true,
  clientTracking: false,
  // Each compressing socket would keep 300 KB.
  perMessageDeflate: false,
  maxPayload: SOCKETS.longestMessage,
  maxFragments: 64,
  closeTimeout: CLOSE_MS,
}
const TOO_MANY: HandshakeRefusal = { status: 429, error: 'Too many connected users' }

/** The sockets of channels, on the server's own port. */
export interface Realtime {
  /** Takes over the connection of a request that asks for a socket (`wantsSocket`), and answers it. */
  upgrade: (request: Request, connection: Duplex, head: Buffer) => void
  /** Closes every socket, so that the server can stop: the clients connect again, to another server. */
  end: () => void
}

export function openRealtime(
  given: Omit<SocketContext, 'noteFailure'> & { logger: Logger },
): Opened<Realtime> {
  const sayOnce = createSayOnce()
  const noteFailure = (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error)
    sayOnce(message, (repeats) => {
      const fields = { err: error, ...(repeats > 0 && { repeats }) }
      given.logger.warn(fields, 'a message on a socket could not be answered; its client tries again')
    })
  }
  const context: SocketContext = { ...given, noteFailure }
  const service = loadOnce(loadService)
  const places = createSocketPlaces()
  const open = new Set<OpenSocket>()
  let sweep: NodeJS.Timeout | undefined
  let isOver = false

  const refuse = (connection: Duplex, refusal: HandshakeRefusal): void => {
    context.metrics.countRefusal(refusal.status)
    refuseHandshake(connection, refusal)
  }
  const add = (socket: OpenSocket, ws: WebSocket): void => {
    open.add(socket)
    context.metrics.countSockets(1)
    sweep ??= setInterval(() => {
      for (const one of open) one.closeIfSilent(performance.now())
    }, SWEEP_MS).unref()
    ws.once('close', () => {
      open.delete(socket)
      context.metrics.countSockets(-1)
    })
    if (isOver) socket.endForStop()
  }

  const upgrade = async (request: Request, connection: Duplex, head: Buffer): Promise<void> => {
    const handshake = readHandshake(request.url)
    if ('error' in handshake) return refuse(connection, handshake)
    const block = blockOf(readCaller(request).network)
    const place = isOver ? undefined : places.take({ name: block, isStranger: true })
    if (place === undefined) return refuse(connection, TOO_MANY)
    connection.once('close', place.free)
    const countFor = ({ is_approved, account_id }: Principal): boolean =>
      place.moveTo({ name: is_approved ? account_id : block, isStranger: !is_approved })
    const verdict = await identifyListener(context, handshake.key)
    if (verdict.state === 'refused')
      return refuse(connection, { status: 401, error: verdict.refusal.message })
    if (verdict.state === 'person' && !countFor(verdict.principal)) return refuse(connection, TOO_MANY)
    const { server, serveSocket } = await service()
    server.handleUpgrade(request, connection, head, (ws) =>
      add(serveSocket(context, ws, handshake, { place, countFor }), ws),
    )
  }

  const end = (): void => {
    isOver = true
    clearInterval(sweep)
    for (const socket of open) socket.endForStop()
  }

  return {
    part: {
      upgrade: (request, connection, head) => {
        // Without a listener, a reset by the client would end the process.
        connection.on('error', () => connection.destroy())
        upgrade(request, connection, head).catch((error: unknown) => {
          noteFailure(error)
          refuse(connection, { status: 503, error: 'The server could not open the socket' })
        })
      },
      end,
    },
    close: async () => {
      end()
      sayOnce.end()
    },
  }
}

/** Loaded with the first socket, because many installations have none. */
async function loadService() {
  const [ws, { serveSocket }] = await Promise.all([import('ws'), import('./sockets/serve-socket.ts')])
  return { server: new ws.WebSocketServer(WS), serveSocket }
}
