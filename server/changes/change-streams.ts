import type { ClientMark } from '#core/data/client-marks.ts'
import { AppError } from '#core/errors.ts'

/** One account's windows on all its devices, or those of a block's strangers; a browser needs one for all of its tabs. */
export const STREAMS_PER_SENDER = 10
/** A comment is sent at least this often, so that proxies and the listener know that the stream is alive. */
export const BEAT_MS = 5000

const OPENING = 'retry: 1000\n\n'
const BEAT = ': still here\n\n'

/** A listener, and until when it may listen. */
export interface Listener {
  user_id: string
  /** the name that his limits are counted by */
  sender: string
  session_id: string
  /** when his token expires, in milliseconds since the epoch */
  expiresAt: number
  /** where he stood when he last heard; undefined for one who begins */
  mark: string | undefined
}

/** One listener's stream: what it has to say next, and whether it goes on. */
export interface ChangeStream extends Listener {
  /** he has heard where he stands */
  isKnown: boolean
  next: string
  toldAt: number
  isOver: boolean
  news: PromiseWithResolvers<void>
}

/** All streams of this process, by what each of them still has to say: a listener who reads slowly costs no more than one who is quick. */
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

/** Tells a listener where he stands now: of a change, or, where he has just come, of what it is that a change would differ from. */
export function tellMark(stream: ChangeStream, { mark, is_moving }: ClientMark, now: number): void {
  const { isKnown, mark: before } = stream
  if (isKnown && before === mark) return
  const isChange = before === undefined ? is_moving : before !== mark
  stream.isKnown = true
  stream.mark = mark
  say(stream, `id: ${mark}\n${isChange || stream.next.includes('data:') ? 'data: changed\n' : ''}\n`, now)
}

/** Tells a listener who has not heard anything for a while that he would have. */
export function tellBeat(stream: ChangeStream, now: number): void {
  if (now - stream.toldAt >= BEAT_MS && stream.next === '') say(stream, BEAT, now)
}

/** Sends everything that is on its way, and nothing after it. */
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
