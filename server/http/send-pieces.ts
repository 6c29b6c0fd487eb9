import { setImmediate } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

const MOST_LISTENERS = 20

/**
 * Sends a long answer as it is made, no faster than it is taken. The first piece is waited for, so that what fails before it is still
 * answered with a problem; what fails later breaks the connection off, because half an answer must not look like a whole one.
 * @returns how many characters were made
 */
export async function sendPieces(response: Response, pieces: AsyncIterable<string>): Promise<number> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  let length = 0
  // Who has hung up meanwhile wants nothing.
  if (response.destroyed) {
    await iterator.return?.()
    return length
  }
  const all = async function* (): AsyncGenerator<string> {
    try {
      for (let piece = first; piece.done !== true; piece = await iterator.next()) {
        length += piece.value.length
        yield piece.value
      }
    } finally {
      await iterator.return?.()
    }
  }
  // Log, traces, packing and the pipeline itself wait for its end, each more than once: no leak, though Node would warn of one.
  response.setMaxListeners(MOST_LISTENERS)
  try {
    await pipeline(Readable.from(all()), response)
  } catch (error) {
    // Who hangs up wants no more of it.
    const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (!isGone) throw error
  }
  return length
}

/**
 * Sends a long answer that is made already, a part in each turn of the event loop: tens of megabytes at once take as long as many
 * requests of others. Waits for no reader: whoever reads nothing holds up nobody but himself.
 * @returns how many characters it has
 */
export async function sendParts(response: Response, parts: readonly string[]): Promise<number> {
  for (const part of parts) {
    // Nobody is there any more who could be told that writing failed.
    if (response.destroyed) break
    response.write(part)
    await setImmediate()
  }
  response.end()
  return parts.reduce((sum, part) => sum + part.length, 0)
}
