import type { Socket } from 'node:net'

/**
 * Limit of interim answers. A client must accept any number (RFC 9110 §15.2); servers send one or two, or a 102 every
 * few seconds.
 */
export const MOST_INTERIM_ANSWERS = 100
/** The number of bytes that undici reads of one answer's headers (connection-pools.ts). */
const LONGEST_HEAD = 16 * 1024
const NOTHING: Buffer = Buffer.alloc(0)

/** The beginning of one answer as it came over the connection: its status line and headers, readable or not. */
export interface AnswerHead {
  /** one character for each byte; at most 16 KiB */
  text: () => string
  /** the status of the status line; undefined if none came */
  status: () => number | undefined
}

/** Many interim answers came, and no final one. */
class InterimAnswersError extends Error {
  override readonly name = 'InterimAnswersError'
  readonly code = 'ERR_INTERIM_ANSWERS'
}

type Take = (chunk: Buffer) => Buffer | undefined
const takers = new WeakMap<Socket, Take>()

/**
 * Watches the bytes from a socket until the answer to the current request has begun, and removes interim answers (1xx
 * except 101). undici (8.12) takes a `100 Continue` for the end of the connection, and the lead would be sent again and
 * again.
 */
export function watchAnswerHead(socket: Socket): AnswerHead {
  const { head, take } = openHead(() => {
    socket.destroy(new InterimAnswersError())
  })
  if (!takers.has(socket)) filterReads(socket)
  takers.set(socket, take)
  return head
}

function filterReads(socket: Socket): void {
  const read = socket.read.bind(socket)
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size) as Buffer | null
      const passed = chunk === null ? null : takers.get(socket)?.(chunk)
      if (passed !== undefined) return passed
    }
  }
}

function openHead(onTooMany: () => void): { head: AnswerHead; take: Take } {
  const kept: Buffer[] = []
  let keptBytes = 0
  let hasBegun = false
  let interims = 0
  let held = NOTHING

  const pass = (bytes: Buffer): Buffer => {
    hasBegun = true
    if (keptBytes < LONGEST_HEAD) {
      kept.push(bytes.subarray(0, LONGEST_HEAD - keptBytes))
      keptBytes += bytes.length
    }
    return bytes
  }
  const take: Take = (chunk) => {
    if (hasBegun) return pass(chunk)
    let searched = held.length
    let bytes = withoutEmptyLines(held.length === 0 ? chunk : Buffer.concat([held, chunk]))
    while (mayBeInterim(bytes)) {
      const end = findEnd(bytes, searched)
      if (end === -1) {
        // undici reports longer headers as too long.
        if (bytes.length >= LONGEST_HEAD) return pass(bytes)
        held = bytes
        return undefined
      }
      interims += 1
      if (interims > MOST_INTERIM_ANSWERS) {
        onTooMany()
        held = NOTHING
        return undefined
      }
      bytes = withoutEmptyLines(bytes.subarray(end))
      searched = 0
    }
    held = NOTHING
    return pass(bytes)
  }
  const text = (): string => Buffer.concat(kept).toString('latin1')
  return {
    take,
    head: {
      text,
      status: () => {
        const [, status] = /^[\r\n]*HTTP\/\d(?:\.\d)? ([1-9]\d\d)(?!\d)/.exec(text()) ?? []
        return status === undefined ? undefined : Number(status)
      },
    },
  }
}

/**
 * Drops empty lines before an answer (RFC 9112 §2.2), as undici does. Otherwise they would be searched again with every
 * further byte.
 */
function withoutEmptyLines(bytes: Buffer): Buffer {
  let from = 0
  while (bytes[from] === 0x0d || bytes[from] === 0x0a) from += 1
  return from === 0 ? bytes : bytes.subarray(from)
}

/**
 * Whether this begins an interim answer, or is still too short to tell. 101 is not one: another protocol follows it.
 */
function mayBeInterim(bytes: Buffer): boolean {
  const begin = bytes.toString('latin1', 0, SAMPLE.length)
  return /^HTTP\/\d\.\d 1(?!01)\d\d\s$/.test(begin + SAMPLE.slice(begin.length))
}
const SAMPLE = 'HTTP/1.1 100 '

/**
 * Returns the offset after the empty line that ends the first answer's headers; -1 without one. Lone line feeds count
 * (RFC 9112 §2.2).
 * @param searched how many of the bytes were searched before: an endpoint may send them one by one
 */
function findEnd(bytes: Buffer, searched: number): number {
  const head = bytes.subarray(0, LONGEST_HEAD)
  const ends = ['\n\r\n', '\n\n'].flatMap((mark) => {
    const at = head.indexOf(mark, Math.max(0, searched - mark.length + 1), 'latin1')
    return at === -1 ? [] : [at + mark.length]
  })
  return ends.length === 0 ? -1 : Math.min(...ends)
}
