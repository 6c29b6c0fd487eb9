import type { RawData, WebSocket } from 'ws'
import { createBuckets } from '#core/fairness/buckets.ts'
import { SOCKETS } from '../../admission/limits.ts'
import type { SocketMetrics } from '../../operations/socket-metrics.ts'
import type { ChannelContext, ChannelSocket } from '../channels/channel.ts'
import { readBinaryFrame, readFrame, type Frame } from '../wire/frames.ts'
import type { Handshake } from '../wire/handshake.ts'
import { createOpenChannels } from './open-channels.ts'
import { createOutgoing } from './outgoing.ts'
import type { SocketPlace } from './socket-places.ts'

export interface SocketContext extends ChannelContext {
  metrics: SocketMetrics
  /** Logs a failure once, however many sockets meet it. */
  noteFailure: (error: unknown) => void
}

/** An open socket. */
export interface OpenSocket {
  /** Ends the socket because the server stops. */
  endForStop: () => void
  /**
   * Closes the socket if its client has sent nothing for too long.
   * @param now milliseconds, as `performance.now()` counts them
   */
  closeIfSilent: (now: number) => void
}

/** Codes of RFC 6455 §7.4.1, and 1012 of its registry: the service restarts, so connect again. */
const CODES = { unreadable: 1003, flood: 1008, failed: 1011, stop: 1012 } as const

/** Serves one socket until it closes: reads its messages in order and answers them. */
export function serveSocket(
  context: SocketContext,
  ws: WebSocket,
  { version, key }: Handshake,
  { place, countFor }: { place: SocketPlace; countFor: ChannelSocket['countFor'] },
): OpenSocket {
  const clock = () => performance.now()
  const takeMessage = createBuckets({ ...SOCKETS.messages, kept: 1 }, clock)
  const cut = (why: 'unreadable' | 'flood', reason: string): void => {
    context.metrics.countCut(why)
    ws.close(CODES[why], reason)
  }
  const outgoing = createOutgoing(ws, version, { metrics: context.metrics, nameOfSender: place.name })
  const channels = createOpenChannels(context, outgoing, {
    key,
    place,
    countFor,
    cutOff: () => cut('flood', 'Too many tokens per second'),
  })
  let heardAt = clock()
  let line = Promise.resolve()
  let waiting = 0

  const answerInLine = (frame: Frame): void => {
    waiting += 1
    line = line
      .then(() => (ws.readyState === ws.OPEN ? channels.answer(frame) : undefined))
      .catch((error: unknown) => {
        context.noteFailure(error)
        ws.close(CODES.failed, 'The server failed')
      })
      .finally(() => (waiting -= 1))
  }

  ws.on('message', (data: RawData, isBinary: boolean) => {
    heardAt = clock()
    if (ws.readyState !== ws.OPEN) return
    if (takeMessage('', 1) < 0 || waiting > SOCKETS.messages.atOnce)
      return cut('flood', 'Too many messages per second')
    const bytes = data as Buffer
    const frame = isBinary ? readBinaryFrame(version, bytes) : readFrame(version, bytes.toString())
    if (frame === undefined) cut('unreadable', 'Unreadable message')
    else if (frame.topic === 'phoenix' && frame.event === 'heartbeat') outgoing.reply(frame, 'ok', '{}')
    else answerInLine(frame)
  })
  // Faults of the client, such as a message that is too long: ws closes the socket itself.
  ws.on('error', () => undefined)
  ws.on('close', channels.end)
  return {
    endForStop: () => ws.close(CODES.stop, 'The server stops'),
    closeIfSilent: (now) => {
      if (now - heardAt <= SOCKETS.silentMs) return
      context.metrics.countCut('silent')
      ws.terminate()
    },
  }
}
