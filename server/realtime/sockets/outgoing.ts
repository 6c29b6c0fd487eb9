import type { WebSocket } from 'ws'
import type { SocketMetrics } from '../../operations/socket-metrics.ts'
import { SOCKETS } from '../../admission/limits.ts'
import { memoryOfProcess } from '../../admission/memory.ts'
import { writeFrame, type Frame, type WireVersion } from '../wire/frames.ts'

/** Writes messages on one socket. Payloads and responses are JSON text. */
export interface Outgoing {
  send: (head: Omit<Frame, 'payload'>, payload: string) => void
  reply: (to: Frame, status: 'ok' | 'error', response: string) => void
  /** Answers a message with an error. */
  refuse: (to: Frame, reason: string) => void
}

/**
 * Bytes that the reader has not taken count as memory of their sender, like unread answers. A reader that is too slow
 * loses its socket, not the server its memory; the client connects again.
 * @param nameOfSender the account or block of addresses that the socket is counted for now
 */
export function createOutgoing(
  ws: WebSocket,
  version: WireVersion,
  { metrics, nameOfSender }: { metrics: SocketMetrics; nameOfSender: () => string },
): Outgoing {
  const cutOff = (): void => {
    metrics.countCut('slow')
    ws.terminate()
  }
  const send: Outgoing['send'] = (head, payload) => {
    if (ws.readyState !== ws.OPEN) return
    const text = writeFrame(version, head, payload)
    const held = memoryOfProcess.open(nameOfSender())
    if (!held.mayHold(text.length)) return cutOff()
    ws.send(text, held.end)
    metrics.countMessage(head.event)
    if (ws.bufferedAmount > SOCKETS.unread) cutOff()
  }
  const reply: Outgoing['reply'] = ({ join_ref, ref, topic }, status, response) =>
    send({ join_ref, ref, topic, event: 'phx_reply' }, `{"status":"${status}","response":${response}}`)
  return { send, reply, refuse: (to, reason) => reply(to, 'error', JSON.stringify({ reason })) }
}
