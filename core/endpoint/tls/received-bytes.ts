import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/**
 * Limit in bytes of an answer with everything around its body: early hints, extensions of chunks, and the handshake and
 * tickets of a secure connection. 64 KiB in chunks of one byte each are 384 KiB. An endpoint that writes without end
 * would occupy the one thread that reads all answers.
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

/**
 * Ends a secure connection that receives more than any handshake needs, counted from its first byte.
 * @param below the TCP socket
 */
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
 * Counts bytes from now on, and on a new connection also those before; calls `onExcess` if there are more than an
 * answer may have.
 * @returns a function that ends the count for this answer
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

/** Many bytes were received without an answer in them. */
export class EndlessAnswerError extends Error {
  override readonly name = 'EndlessAnswerError'
  readonly code = 'ERR_ENDLESS_ANSWER'
}
