import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'

/** A listener that sends the bytes of a test and counts what it receives. */
export interface RawServer {
  url: string
  port: number
  /** connections accepted so far, and those still open */
  accepted: () => number
  open: () => number
  sockets: () => readonly Socket[]
  /** everything received so far on all connections */
  received: () => string
  close: () => Promise<void>
}

/** Called with each chunk that a connection receives, first with the request's head. */
export type Speak = (socket: Socket, received: string) => void

export async function startRawServer(
  speak: Speak,
  options: { host?: string; port?: number; tls?: TlsOptions } = {},
): Promise<RawServer> {
  const sockets = new Set<Socket>()
  let accepted = 0
  let received = ''
  const onConnection = (socket: Socket): void => {
    accepted += 1
    sockets.add(socket)
    socket.setNoDelay(true)
    // Most of these tests are about a client that hangs up half way.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (piece: Buffer) => {
      const text = piece.toString('latin1')
      received += text
      speak(socket, text)
    })
  }
  const server: Server =
    options.tls === undefined ? createServer(onConnection) : createTlsServer(options.tls, onConnection)
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hook`,
    port,
    accepted: () => accepted,
    open: () => sockets.size,
    sockets: () => [...sockets],
    received: () => received,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
