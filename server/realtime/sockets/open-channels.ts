import { createBuckets } from '#core/fairness/buckets.ts'
import { SOCKETS } from '../../admission/limits.ts'
import type { SocketMetrics } from '../../operations/socket-metrics.ts'
import { joinChannel, type Channel, type ChannelContext, type ChannelSocket } from '../channels/channel.ts'
import { NO_BROADCAST, NO_PRESENCE } from '../channels/not-available.ts'
import { readJoin } from '../channels/read-join.ts'
import type { Frame } from '../wire/frames.ts'
import type { Outgoing } from './outgoing.ts'
import type { SocketPlace } from './socket-places.ts'

const PREFIX = 'realtime:'
const TOO_MANY = 'ChannelRateLimitReached: Too many channels'
/** The client library tries again. */
const UNAVAILABLE = 'UnableToConnectToProject: The database cannot be reached'

/** The channels of one socket. */
export interface OpenChannels {
  /** Answers a message about a channel. Call it for one message after the other. */
  answer: (frame: Frame) => Promise<void>
  /** The socket has closed. */
  end: () => void
}

export interface ChannelsOfSocket {
  key: string
  place: Pick<SocketPlace, 'addChannel' | 'removeChannel'>
  countFor: ChannelSocket['countFor']
  /** Closes the socket, because its client sends more tokens than anybody needs. */
  cutOff: () => void
}

export function createOpenChannels(
  context: ChannelContext & { metrics: SocketMetrics; noteFailure: (error: unknown) => void },
  { send, reply, refuse }: Outgoing,
  { key, place, countFor, cutOff }: ChannelsOfSocket,
): OpenChannels {
  const channels = new Map<string, { joinRef: string | null; channel: Channel }>()
  const buckets = createBuckets({ ...SOCKETS.joins, kept: 1, mostDebt: 1 }, () => performance.now())
  const mayJudgeToken = (): boolean => buckets('', 1) >= 0
  let isOver = false

  const drop = (topic: string): void => {
    const open = channels.get(topic)
    if (open === undefined) return
    open.channel.close()
    channels.delete(topic)
    place.removeChannel()
    context.metrics.countChannels(-1)
  }
  const findOpen = ({ topic, join_ref }: Frame) => {
    const open = channels.get(topic)
    // A message of an earlier join.
    return join_ref !== null && join_ref !== open?.joinRef ? undefined : open
  }
  const refuseJoin = ({ topic }: Frame): string | undefined => {
    if (topic === PREFIX) return 'TopicNameRequired: You must provide a topic name'
    if (channels.size >= SOCKETS.channels) return TOO_MANY
    return mayJudgeToken() ? undefined : 'ClientJoinRateLimitReached: Too many joins per second'
  }

  const join = async (frame: Frame): Promise<void> => {
    const { topic, join_ref: joinRef } = frame
    drop(topic)
    const refusal = refuseJoin(frame)
    if (refusal !== undefined) return refuse(frame, refusal)
    const asked = readJoin(frame.payload)
    if (typeof asked === 'string') return refuse(frame, `InvalidJoinPayload: ${asked}`)
    const channel = await joinChannel(
      context,
      { name: topic.slice(PREFIX.length), join: asked, key },
      {
        push: (event, payload) => send({ join_ref: joinRef, ref: null, topic, event }, payload),
        end: (event) => {
          drop(topic)
          send({ join_ref: joinRef, ref: joinRef, topic, event }, '{}')
        },
        countFor,
      },
    ).catch((error: unknown) => {
      context.noteFailure(error)
      return UNAVAILABLE
    })
    if (typeof channel === 'string') return refuse(frame, channel)
    if (isOver) return channel.close()
    if (!place.addChannel()) {
      channel.close()
      return refuse(frame, TOO_MANY)
    }
    channels.set(topic, { joinRef, channel })
    context.metrics.countChannels(1)
    reply(frame, 'ok', channel.response)
    channel.begin()
  }

  const leave = (frame: Frame): void => {
    const open = findOpen(frame)
    reply(frame, 'ok', '{}')
    if (open === undefined) return
    drop(frame.topic)
    send({ join_ref: open.joinRef, ref: open.joinRef, topic: frame.topic, event: 'phx_close' }, '{}')
  }

  const takeToken = async (channel: Channel, { payload }: Frame): Promise<void> => {
    if (!mayJudgeToken()) return cutOff()
    const { access_token: token } = (payload ?? {}) as { access_token?: unknown }
    await channel.takeToken(token)
  }

  return {
    answer: async (frame) => {
      if (!frame.topic.startsWith(PREFIX)) return refuse(frame, 'unmatched topic')
      if (frame.event === 'phx_join') return await join(frame)
      if (frame.event === 'phx_leave') return leave(frame)
      const open = findOpen(frame)
      if (open === undefined) return refuse(frame, 'unmatched topic')
      switch (frame.event) {
        case 'access_token':
          return await takeToken(open.channel, frame)
        case 'broadcast':
          return refuse(frame, NO_BROADCAST)
        case 'presence':
          return refuse(frame, NO_PRESENCE)
        default:
          return refuse(frame, 'UnknownEvent: A channel has no such event')
      }
    },
    end: () => {
      isOver = true
      for (const topic of channels.keys()) drop(topic)
    },
  }
}
