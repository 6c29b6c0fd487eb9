import type { Socket } from 'node:net'
import { HANDSHAKE, sessionTicket, type AnsweredHandshake } from './answer-handshake.ts'

const IN_A_RECORD = 60

/** Sends session tickets as long and as fast as the client accepts them. */
export function pourTickets(socket: Socket, seal: AnsweredHandshake['seal']): void {
  const tickets = Buffer.concat(Array.from({ length: IN_A_RECORD }, () => sessionTicket(200)))
  const pour = (): void => {
    while (!socket.destroyed && socket.write(seal(HANDSHAKE, tickets)));
  }
  socket.on('drain', pour)
  pour()
}
