import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import {
  answerHandshake,
  APPLICATION_DATA,
  type AnsweredHandshake,
  type ShownCertificates,
} from './answer-handshake.ts'

/** A server of TLS 1.3 that sends what OpenSSL would not, and ignores what it receives. */
export interface HostileTlsServer {
  port: number
  close: () => Promise<void>
}

export interface HostileTlsOrder {
  /** called for each connection */
  show: () => ShownCertificates
  /** HTTP or other bytes, sent after the client's first message after its Finished */
  answer?: string | Say
  /** runs when the client has ended its handshake, before its first request */
  afterwards?: Say
}

/** Sends something on a connection after the handshake. */
export type Say = (socket: Socket, seal: AnsweredHandshake['seal']) => void

export async function startHostileTlsServer({
  show,
  answer,
  afterwards,
}: HostileTlsOrder): Promise<HostileTlsServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // Clients are expected to break off.
    socket.on('error', () => socket.destroy())
    let received = Buffer.alloc(0)
    let answered: AnsweredHandshake | undefined
    let encrypted = 0
    socket.on('data', (piece: Buffer) => {
      received = Buffer.concat([received, piece])
      for (let record = takeRecord(); record !== undefined; record = takeRecord()) hear(record)
    })
    const takeRecord = (): { type: number; content: Buffer } | undefined => {
      if (received.length < 5 || received.length < 5 + received.readUInt16BE(3)) return undefined
      const end = 5 + received.readUInt16BE(3)
      const record = { type: received.readUInt8(0), content: received.subarray(5, end) }
      received = received.subarray(end)
      return record
    }
    const hear = ({ type, content }: { type: number; content: Buffer }): void => {
      if (answered === undefined) {
        answered = answerHandshake(content, show())
        socket.write(answered.flight)
        return
      }
      if (type !== APPLICATION_DATA) return
      encrypted += 1
      if (encrypted === 1) {
        afterwards?.(socket, answered.seal)
      } else if (encrypted === 2 && answer !== undefined) {
        if (typeof answer === 'string') socket.write(answered.seal(APPLICATION_DATA, Buffer.from(answer)))
        else answer(socket, answered.seal)
      }
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
