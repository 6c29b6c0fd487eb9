import type { WebSocket } from 'ws'
import type { SocketMetrics } from '../../operations/socket-metrics.ts'
import { SOCKETS } from '../../admission/limits.ts'
import { writeFrame, type Frame, type WireVersion } from '../wire/frames.ts'

/** Writes messages on one socket. Payloads and responses are JSON text. */
export interface Outgoing {
  send: (head: Omit<Frame, 'payload'>, payload: string) => void
  reply: (to: Frame, status: 'ok' | 'error', response: string) => void
  /** Answers a message with an error. */
  refuse: (to: Frame, reason: string) => void
}

/** A reader that is too slow loses its socket, not the server its memory. The client connects again. */
export function createOutgoing(ws: WebSocket, version: WireVersion, metrics: SocketMetrics): Outgoing {
  const send: Outgoing['send'] = (head, payload) => {
    if (ws.readyState !== ws.OPEN) return
    ws.send(writeFrame(version, head, payload))
    metrics.countMessage(head.event)
    if (ws.bufferedAmount <= SOCKETS.unread) return
    metrics.countCut('slow')
    ws.terminate()
  }
  const reply: Outgoing['reply'] = ({ join_ref, ref, topic }, status, response) =>
    send({ join_ref, ref, topic, event: 'phx_reply' }, `{"status":"${status}","response":${response}}`)
  return { send, reply, refuse: (to, reason) => reply(to, 'error', JSON.stringify({ reason })) }
}
