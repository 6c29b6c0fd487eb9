import type { MemberRole } from '#core/contract/accounts/member-role.ts'
import type { ChangeToken } from '#core/data/change-tokens.ts'
import { AppError } from '#core/errors.ts'

/**
 * Limit of streams for all windows of one account, or for all strangers in one block of addresses. A browser needs one
 * stream for all its tabs.
 */
export const STREAMS_PER_SENDER = 10
/** A comment is sent at least this often, so that proxies and the listener know that the stream is alive. */
export const BEAT_MS = 5000

const OPENING = 'retry: 1000\n\n'
const BEAT = ': still here\n\n'

/** A listener, and how long it may listen. */
export interface Listener {
  /** the account */
  user_id: string
  /** what the person is in the account; the stream ends when that changes */
  member_role: MemberRole
  /** the name that its limits are counted by */
  sender: string
  session_id: string
  /** when its token expires, in milliseconds since the epoch */
  expiresAt: number
  /** the last token that the listener got; undefined for a new one */
  token: string | undefined
}

/** One listener's stream: the message to send next, and whether the stream goes on. */
export interface ChangeStream extends Listener {
  /** the listener has a token */
  isKnown: boolean
  next: string
  toldAt: number
  isOver: boolean
  news: PromiseWithResolvers<void>
}

/**
 * All streams of this process. Each keeps only its newest message, so a slow reader takes no more memory than
 * a quick one.
 */
export interface ChangeStreams {
  all: ReadonlySet<ChangeStream>
  /** @throws AppError rate_limited */
  open: (listener: Listener, now: number) => { pieces: AsyncIterable<string>; close: () => void }
}

export function createChangeStreams(): ChangeStreams {
  const all = new Set<ChangeStream>()
  return {
    all,
    open: (listener, now) => {
      const own = [...all].filter(({ sender }) => sender === listener.sender)
      if (own.length >= STREAMS_PER_SENDER) {
        const detail = `At most ${STREAMS_PER_SENDER} streams of changes may be open for one account. Close another window and try again.`
        throw new AppError('rate_limited', detail, { retryAfterSeconds: 10 })
      }
      const stream: ChangeStream = {
        ...listener,
        isKnown: false,
        next: OPENING,
        toldAt: now,
        isOver: false,
        news: Promise.withResolvers(),
      }
      stream.news.resolve()
      all.add(stream)
      const close = (): void => {
        all.delete(stream)
        endStream(stream)
      }
      return { pieces: write(stream, close), close }
    },
  }
}

/**
 * Sends the current token: as a change, or to a new listener as the state that a later change is compared
 * with.
 */
export function tellToken(stream: ChangeStream, { token, is_moving }: ChangeToken, now: number): void {
  const { isKnown, token: before } = stream
  if (isKnown && before === token) return
  const isChange = before === undefined ? is_moving : before !== token
  stream.isKnown = true
  stream.token = token
  say(stream, `id: ${token}\n${isChange || stream.next.includes('data:') ? 'data: changed\n' : ''}\n`, now)
}

/** Sends a comment to a listener that got nothing for a while, so that silence means no change. */
export function tellBeat(stream: ChangeStream, now: number): void {
  if (now - stream.toldAt >= BEAT_MS && stream.next === '') say(stream, BEAT, now)
}

/** Ends the stream after the message that is being sent. */
export function endStream(stream: ChangeStream): void {
  stream.isOver = true
  stream.news.resolve()
}

function say(stream: ChangeStream, text: string, now: number): void {
  stream.next = text
  stream.toldAt = now
  stream.news.resolve()
}

async function* write(stream: ChangeStream, close: () => void): AsyncGenerator<string> {
  try {
    while (!stream.isOver) {
      await stream.news.promise
      const { next } = stream
      stream.next = ''
      if (!stream.isOver) stream.news = Promise.withResolvers()
      if (next !== '') yield next
    }
  } finally {
    close()
  }
}
