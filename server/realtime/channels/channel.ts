import { setTimeout as wait } from 'node:timers/promises'
import type { Principal } from '../../identity/find-live-session.ts'
import type { IdentityContext } from '../../identity/identity-context.ts'
import { identifyListener, isToken, type ListenerVerdict } from '../../identity/identify-listener.ts'
import { numberBindings } from './bindings.ts'
import { openHearing, type Hearing, type HearingContext, type HearingEnd } from './hearing.ts'
import { NO_PRESENCE } from './not-available.ts'
import type { Join } from './read-join.ts'

export interface ChannelContext extends IdentityContext, HearingContext {}

/** The services that a channel needs from its socket. */
export interface ChannelSocket {
  /** @param payload JSON text */
  push: (event: string, payload: string) => void
  /** Sends the end of the channel: after `phx_error` the client joins again, after `phx_close` it does not. */
  end: (event: 'phx_close' | 'phx_error') => void
  /** Counts the socket for this person's account; false if it has too many. */
  countFor: (person: Principal) => boolean
}

export interface Channel {
  /** The response to the join, as JSON text. */
  response: string
  /** Tells what follows the reply. */
  begin: () => void
  /** Judges a new token of the client. */
  takeToken: (token: unknown) => Promise<void>
  /** Stops without a message. */
  close: () => void
}

const ENDS: Readonly<
  Record<HearingEnd, { event: 'phx_close' | 'phx_error'; extension: string; message: string }>
> = {
  expired: { event: 'phx_close', extension: 'system', message: 'Token has expired' },
  ended: {
    event: 'phx_close',
    extension: 'system',
    message: 'The session of this access token has ended.',
  },
  // The client joins again, as what it is now.
  changed: { event: 'phx_error', extension: 'system', message: 'Your role in the account has changed.' },
  missed: {
    event: 'phx_error',
    extension: 'postgres_changes',
    message: 'Changes may have been missed. Join again, then read the rows again.',
  },
}
const TOO_MANY = 'ConnectionRateLimitReached: Too many connected users'

/**
 * Lets a client join a channel. Anybody may join a public one and hears nothing; a person hears changes of the account's
 * rows.
 * @param options.name the topic without its prefix
 * @returns the reason as text if the client may not join
 */
export async function joinChannel(
  context: ChannelContext,
  { name, join, key }: { name: string; join: Join; key: string },
  socket: ChannelSocket,
): Promise<Channel | string> {
  const asked = numberBindings(join.bindings)
  let token = join.token !== undefined && isToken(join.token) ? join.token : key
  let hearing: Hearing | undefined
  let isClosed = false

  const tell = (extension: string, status: 'ok' | 'error', message: string): void =>
    socket.push('system', JSON.stringify({ extension, status, message, channel: name }))
  const close = (): void => {
    isClosed = true
    hearing?.close()
    hearing = undefined
  }
  const end = ({ event, extension, message }: (typeof ENDS)[HearingEnd]): void => {
    if (isClosed) return
    close()
    tell(extension, 'error', message)
    socket.end(event)
  }
  const hear = (verdict: ListenerVerdict): void => {
    hearing?.close()
    hearing = undefined
    if (verdict.state !== 'person') return
    const { principal: person, expiresAt } = verdict
    hearing = openHearing(
      context,
      { person, expiresAt, asked },
      { pushChange: (payload) => socket.push('postgres_changes', payload), end: (why) => end(ENDS[why]) },
    )
  }
  /** Tells whether changes are heard, once that is known. */
  const tellReady = async (): Promise<void> => {
    const current = hearing
    if (asked.length === 0 || current === undefined) return
    const fault = await current.ready
    if (hearing !== current) return
    if (fault === undefined) tell('postgres_changes', 'ok', 'Subscribed to PostgreSQL')
    else tell('postgres_changes', 'error', fault)
  }
  const refuse = (verdict: ListenerVerdict): string | undefined => {
    if (verdict.state === 'refused') return `${verdict.refusal.code}: ${verdict.refusal.message}`
    if (verdict.state === 'person') return socket.countFor(verdict.principal) ? undefined : TOO_MANY
    if (!join.isPrivate) return undefined
    return `Unauthorized: You do not have permissions to read from this Channel topic: ${name}`
  }

  const first = await identifyListener(context, token)
  const reason = refuse(first)
  if (reason !== undefined) return reason
  hear(first)
  const late = await waitForChanges(hearing, join.waitMs)
  if (late !== undefined) {
    close()
    return late
  }
  if (isClosed) return `Unauthorized: ${ENDS.ended.message}`
  return {
    response: JSON.stringify({ postgres_changes: asked }),
    begin: () => {
      if (join.wantsPresence) tell('presence', 'error', NO_PRESENCE)
      void tellReady()
    },
    takeToken: async (given) => {
      if (typeof given !== 'string' || !isToken(given) || given === token) return
      const verdict = await identifyListener(context, given)
      if (isClosed) return
      const fault = refuse(verdict)
      if (fault !== undefined) {
        const message = verdict.state === 'refused' ? verdict.refusal.message : fault
        end({ event: 'phx_close', extension: 'system', message })
        return
      }
      token = given
      if (verdict.state === 'person' && hearing !== undefined && isSame(hearing.person, verdict.principal)) {
        hearing.renew(verdict.expiresAt)
        return
      }
      hear(verdict)
      void tellReady()
    },
    close,
  }
}

/** Waits for what a client asked to wait for, and returns the reason as text if it takes too long. */
async function waitForChanges(
  hearing: Hearing | undefined,
  waitMs: number | undefined,
): Promise<string | undefined> {
  if (hearing === undefined || waitMs === undefined) return undefined
  const late = `PostgresChangesSubscribeTimeout: Timed out after ${waitMs}ms waiting for the postgres_changes subscription`
  return await Promise.race([hearing.ready.then(() => undefined), wait(waitMs, late, { ref: false })])
}

/** Whether both hear the same rows by the same session. */
function isSame(one: Principal, other: Principal): boolean {
  const names = ['session_id', 'account_id', 'member_role', 'member_user_id'] as const
  return names.every((name) => one[name] === other[name])
}
