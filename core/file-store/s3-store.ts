import type { S3Settings } from '../config/file-variables.ts'
import { loadOnce } from '../load-once.ts'
import { FileMissing, FileStoreAway, type FileStore } from './file-store.ts'
import { pathOfBytes } from './path-of-bytes.ts'
import { connectToS3, type S3Limits, type SendToS3 } from './s3-requests.ts'
import { removeUnfinished, stageBytes, type Staging } from './stage-bytes.ts'

/**
 * All tries of the largest file (docs/product.md §9) together take less than the hour for which announced bytes are left
 * alone.
 */
const LIMITS: S3Limits = {
  connectMs: 5000,
  silenceMs: 30_000,
  slowestBytesPerMs: 1000,
  backoffMs: [200, 800],
}

/** The caller holds rows meanwhile, so that nobody stores the same bytes; it may do so for 30 s. */
const REMOVE_MS = 10_000

/**
 * Keeps bytes in a bucket of an S3-compatible service, at the paths that they have in the folder of the disk store. They
 * are first written to a temporary file here, so the service gets them in one PUT with their length and hash: an object
 * is whole or does not exist.
 */
export function openS3Store(settings: S3Settings, staging: Staging, limits = LIMITS): FileStore {
  const connect = loadOnce(() => connectToS3(settings, limits))
  const send: SendToS3 = async (request) => await (await connect())(request)
  return {
    write: async (bytes, given) =>
      await stageBytes(staging, bytes, given, async (path, content) => {
        // Even if it is there already: it costs less than a wrong guess.
        const file = { path, ...content }
        const answer = await send({ method: 'PUT', key: pathOfBytes(content.sha256), file })
        answer.resume()
        if (answer.statusCode === 404) throw new FileStoreAway(new Error('the bucket does not exist'))
      }),
    read: async (sha256, range) => await readObject(send, sha256, range),
    remove: async (sha256) => {
      const answer = await send({ method: 'DELETE', key: pathOfBytes(sha256), onceWithinMs: REMOVE_MS })
      answer.resume()
    },
    removeUnfinished: (before) => removeUnfinished(staging, before),
  }
}

async function readObject(
  send: SendToS3,
  sha256: string,
  range?: { start: number; end: number },
): Promise<AsyncIterable<Uint8Array>> {
  const answer = await send({
    method: 'GET',
    key: pathOfBytes(sha256),
    ...(range !== undefined && { headers: { range: `bytes=${range.start}-${range.end}` } }),
  })
  const { statusCode } = answer
  // Some services answer a range that is the whole object with all of it.
  const isWhole = range?.start === 0 && Number(answer.headers['content-length']) === range.end + 1
  if (statusCode === (range === undefined ? 200 : 206) || (isWhole && statusCode === 200))
    return untilItBreaks(answer)
  answer.destroy()
  if (statusCode === 404) throw new FileMissing(sha256)
  throw new FileStoreAway(new Error(`GET was answered ${statusCode}`))
}

/** A reader must not take a part for the whole. */
async function* untilItBreaks(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new FileStoreAway(cause)
  }
}
