import { setImmediate } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

const MOST_LISTENERS = 20

/**
 * Sends a long answer while it is made, at the reader's speed. It waits for the first piece, so that an earlier failure
 * is still answered with a problem. A later failure closes the connection, because a partial answer must not look
 * complete.
 * @returns how many characters were made
 */
export async function sendPieces(response: Response, pieces: AsyncIterable<string>): Promise<number> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  let length = 0
  // A caller who has hung up needs no answer.
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
  // Log, traces, compression and the pipeline itself each listen for its end more than once. This is no leak,
  // but Node would warn of one.
  response.setMaxListeners(MOST_LISTENERS)
  try {
    await pipeline(Readable.from(all()), response)
  } catch (error) {
    // The reader hung up: no failure.
    const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (!isGone) throw error
  }
  return length
}

/**
 * Sends a long answer that is already made, a part in each turn of the event loop: tens of megabytes at once
 * would delay many other requests. It does not wait for the reader, so a slow reader delays only itself.
 * @returns how many characters it has
 */
export async function sendParts(response: Response, parts: readonly string[]): Promise<number> {
  for (const part of parts) {
    // Nobody is left who could be told that writing failed.
    if (response.destroyed) break
    response.write(part)
    await setImmediate()
  }
  response.end()
  return parts.reduce((sum, part) => sum + part.length, 0)
}
