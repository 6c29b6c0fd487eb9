import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Ends connections whose other side has taken nothing of what waits for it for so many milliseconds. Node waits for ever, and keeps
 * the answer in memory.
 */
export function endUnread(server: Server, limitMs: number): void {
  /** of each connection how many bytes were taken, and since when no more */
  const open = new Map<Socket, { taken: number; since: number }>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, { taken: 0, since: performance.now() })
    socket.once('close', () => open.delete(socket))
  })
  const looking = setInterval(() => {
    const now = performance.now()
    for (const [socket, known] of open) {
      const taken = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || taken !== known.taken) open.set(socket, { taken, since: now })
      else if (now - known.since > limitMs) socket.destroy()
    }
  }, limitMs / 4)
  looking.unref()
  server.once('close', () => clearInterval(looking))
}
