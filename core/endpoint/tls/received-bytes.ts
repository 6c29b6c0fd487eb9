import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/**
 * Bytes of an answer with all that stands around its body: early hints, what chunks are told beside their size, and the handshake and
 * tickets of a secure connection. 64 KiB in chunks of one byte each are 384 KiB; what somebody writes for as long as he is read would take
 * the one thread that reads all answers.
 */
export const MOST_RECEIVED_BYTES = 512 * 1024
/** Milliseconds between two looks at a secure socket, which emits no event for bytes outside of the answer. */
const LOOK_MS = 100

interface Watch {
  count: () => number
  /** bytes that had come before the count began */
  before: number
  onExcess: () => void
}

const watches = new WeakMap<Socket, Watch>()

/** Ends a secure connection that receives more than any handshake needs, from its first byte on. @param below the TCP socket */
export function limitSecured(secured: TLSSocket, below: Socket): void {
  const end = (): void => {
    secured.destroy(new EndlessAnswerError())
  }
  const watch: Watch = { count: () => below.bytesRead, before: 0, onExcess: end }
  watches.set(secured, watch)
  const timer = setInterval(look, LOOK_MS, watch)
  secured.once('close', () => {
    clearInterval(timer)
  })
}

/**
 * Counts what comes from now on, and on a new connection all that came before; `onExcess` where it is more than an answer may have.
 * @returns how to count no more for this answer
 */
export function limitAnswer(socket: Socket, isNew: boolean, onExcess: () => void): () => void {
  const watch = watches.get(socket) ?? { count: () => socket.bytesRead, before: 0, onExcess }
  const { onExcess: otherwise } = watch
  if (!isNew) watch.before = watch.count()
  watch.onExcess = onExcess
  const lookNow = (): void => {
    look(watch)
  }
  socket.on('readable', lookNow)
  return () => {
    socket.off('readable', lookNow)
    watch.onExcess = otherwise
    watch.before = watch.count()
  }
}

function look(watch: Watch): void {
  if (watch.count() - watch.before > MOST_RECEIVED_BYTES) watch.onExcess()
}

/** Much was received, and no answer in it. */
export class EndlessAnswerError extends Error {
  override readonly name = 'EndlessAnswerError'
  readonly code = 'ERR_ENDLESS_ANSWER'
}
