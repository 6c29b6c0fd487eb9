import type { RawData, WebSocket } from 'ws'
import type { Logger } from '#core/telemetry/logger.ts'
import { createBuckets } from '#core/fairness/buckets.ts'
import { SOCKETS } from '../admission/limits.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { SocketMetrics } from '../operations/socket-metrics.ts'
import { joinChannel, type Channel, type ChannelContext } from './channels/channel.ts'
import { readJoin } from './channels/read-join.ts'
import { readBinaryFrame, readFrame, writeFrame, type Frame } from './wire/frames.ts'
import type { Handshake } from './wire/handshake.ts'

export interface SocketContext extends ChannelContext {
  logger: Logger
  metrics: SocketMetrics
}

/** Codes of RFC 6455 §7.4.1 with which the server closes a socket. */
export const CLOSE = {
  goingAway: 1001,
  unreadable: 1003,
  refused: 1008,
  failed: 1011,
  restarting: 1012,
} as const

/** An open socket. */
export interface OpenSocket {
  close: (code: number, reason: string) => void
  /** Closes the socket if its client has sent nothing for too long. */
  closeIfSilent: () => void
}

const TOPIC = /^realtime:/
const NO_BROADCAST =
  'BroadcastNotAvailable: This server sends no broadcasts. Channels tell changes of rows only.'
const NO_PRESENCE = 'PresenceNotAvailable: This server keeps no presence. Channels tell changes of rows only.'

/** Serves one socket until it closes: reads its messages in order and answers them. */
export function serveSocket(
  context: SocketContext,
  ws: WebSocket,
  { version, key }: Handshake,
  countFor: (person: Principal) => boolean,
): OpenSocket {
  const channels = new Map<string, { joinRef: string | null; channel: Channel }>()
  const clock = () => performance.now()
  const take = {
    message: createBuckets({ ...SOCKETS.messages, kept: 1 }, clock),
    join: createBuckets({ ...SOCKETS.joins, kept: 1, mostDebt: 1 }, clock),
  }
  let heardAt = clock()
  let line = Promise.resolve()
  let waiting = 0

  const close = (code: number, reason: string): void => ws.close(code, reason)
  const send = (head: Omit<Frame, 'payload'>, payload: string): void => {
    if (ws.readyState !== ws.OPEN) return
    ws.send(writeFrame(version, head, payload))
    context.metrics.countMessage(head.event)
    // A reader that is too slow loses its socket, not the server its memory; the client connects again.
    if (ws.bufferedAmount > SOCKETS.unread) ws.terminate()
  }
  const reply = ({ join_ref, ref, topic }: Frame, status: 'ok' | 'error', response: string): void =>
    send({ join_ref, ref, topic, event: 'phx_reply' }, `{"status":"${status}","response":${response}}`)
  const refuse = (frame: Frame, reason: string): void => reply(frame, 'error', JSON.stringify({ reason }))

  const drop = (topic: string): void => {
    const open = channels.get(topic)
    if (open === undefined) return
    open.channel.close()
    channels.delete(topic)
    context.metrics.countChannels(-1)
  }

  const join = async (frame: Frame): Promise<void> => {
    const { topic, join_ref: joinRef } = frame
    const name = topic.replace(TOPIC, '')
    drop(topic)
    if (name === '') return refuse(frame, 'TopicNameRequired: You must provide a topic name')
    if (channels.size >= SOCKETS.channels) return refuse(frame, 'ChannelRateLimitReached: Too many channels')
    if (take.join('', 1) < 0) return refuse(frame, 'ClientJoinRateLimitReached: Too many joins per second')
    const read = readJoin(frame.payload)
    if (typeof read === 'string') return refuse(frame, `InvalidJoinPayload: ${read}`)
    const ended = { join_ref: joinRef, ref: joinRef, topic }
    const channel = await joinChannel(
      context,
      { name, join: read, key },
      {
        push: (event, payload) => send({ join_ref: joinRef, ref: null, topic, event }, payload),
        end: (event) => {
          drop(topic)
          send({ ...ended, event }, '{}')
        },
        countFor,
      },
    )
    if (typeof channel === 'string') return refuse(frame, channel)
    if (ws.readyState !== ws.OPEN) return channel.close()
    channels.set(topic, { joinRef, channel })
    context.metrics.countChannels(1)
    reply(frame, 'ok', channel.response)
    channel.begin()
  }

  const leave = (frame: Frame): void => {
    const open = channels.get(frame.topic)
    reply(frame, 'ok', '{}')
    if (open === undefined || isOther(frame, open)) return
    drop(frame.topic)
    send({ join_ref: open.joinRef, ref: open.joinRef, topic: frame.topic, event: 'phx_close' }, '{}')
  }

  const answer = async (frame: Frame): Promise<void> => {
    const { topic, event } = frame
    if (!TOPIC.test(topic)) return refuse(frame, 'unmatched topic')
    if (event === 'phx_join') return await join(frame)
    if (event === 'phx_leave') return leave(frame)
    const open = channels.get(topic)
    if (open === undefined || isOther(frame, open)) return refuse(frame, 'unmatched topic')
    if (event === 'broadcast') return refuse(frame, NO_BROADCAST)
    if (event === 'presence') return refuse(frame, NO_PRESENCE)
    if (event !== 'access_token') return refuse(frame, 'UnknownEvent: A channel has no such event')
    if (take.join('', 1) < 0) return close(CLOSE.refused, 'Too many tokens per second')
    const { access_token: token } = (frame.payload ?? {}) as { access_token?: unknown }
    await open.channel.takeToken(token)
  }

  const inLine = (frame: Frame): void => {
    waiting += 1
    line = line
      .then(() => (ws.readyState === ws.OPEN ? answer(frame) : undefined))
      .catch((error: unknown) => {
        context.logger.error({ err: error }, 'a message on a socket failed')
        close(CLOSE.failed, 'The server failed')
      })
      .finally(() => (waiting -= 1))
  }

  const read = (data: RawData, isBinary: boolean): void => {
    heardAt = clock()
    if (ws.readyState !== ws.OPEN) return
    if (take.message('', 1) < 0 || waiting > SOCKETS.messages.atOnce)
      return close(CLOSE.refused, 'Too many messages per second')
    const bytes = data as Buffer
    const frame = isBinary ? readBinaryFrame(version, bytes) : readFrame(version, bytes.toString())
    if (frame === undefined) close(CLOSE.unreadable, 'Unreadable message')
    else if (frame.topic === 'phoenix' && frame.event === 'heartbeat') reply(frame, 'ok', '{}')
    else inLine(frame)
  }

  ws.on('message', read)
  // Faults of the client (a message too long, text that is no UTF-8): ws closes the socket itself.
  ws.on('error', () => undefined)
  ws.on('close', () => {
    for (const topic of channels.keys()) drop(topic)
  })
  return {
    close,
    closeIfSilent: () => {
      if (clock() - heardAt > SOCKETS.silentMs) ws.terminate()
    },
  }
}

/** Whether a message belongs to another join of the topic than the open one. */
function isOther({ join_ref }: Frame, open: { joinRef: string | null }): boolean {
  return join_ref !== null && join_ref !== open.joinRef
}
