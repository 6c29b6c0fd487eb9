import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, RequestHandler, Response } from 'express'
import { isProductBucket } from '#core/contract/files/buckets.ts'
import type { StoredFile } from '#core/contract/files/stored-file.ts'
import { noteAccess } from '#core/data/files/move-files.ts'
import { findFile } from '#core/data/files/stored-files.ts'
import { bareType } from '#core/domain/files/is-allowed-type.ts'
import type { ServerContext } from '../context.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { nameSender } from '../http/name-sender.ts'
import { whileAllowed } from '../http/while-allowed.ts'
import { tagOf } from './describe-file.ts'
import { admitAgain, identifyCaller } from './identify-caller.ts'
import { judgeRange } from './judge-range.ts'
import { reachBucket } from './reach-bucket.ts'
import { verifyRead } from './signed-token.ts'
import { readPlace, readQueryText } from './storage-call.ts'
import { StorageFailure } from './storage-failure.ts'

/** Types that a browser shows without running anything in them. All others are saved, never opened here. */
const SHOWN =
  /^(?:image\/(?:jpeg|png|gif|webp|avif|bmp|heic|heif|tiff)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain)$/
/** Nothing of a file may load, run or reach this origin, whatever its bytes are. */
const SANDBOX = "default-src 'none'; img-src 'self'; media-src 'self'; sandbox; frame-ancestors 'none'"
/** Seconds that a browser may keep a file of the product: as long as a signed URL lives. */
const LONGEST_KEPT = 3600
const LOOK_EVERY_MS = 5000

/** `GET` and `HEAD /object/{bucket}/{name}`. */
export function sendOwnFile(context: ServerContext): RequestHandler {
  return async (request, response) => {
    const caller = await identifyCaller(context, request)
    const { bucket, name } = readPlace(request)
    const { owner } = await reachBucket(context, caller, bucket, 'read')
    const file = await findFile(context.db, { bucket, name, owner })
    if (file === undefined) throw new StorageFailure('no_file', 'Object not found')
    const reader = caller.kind === 'person' ? caller.principal : undefined
    // A browser may keep the file for its reader, but not for the next person who signs in.
    response.vary('Authorization')
    await context.admission.inDownloadQueue(caller.sender, async () => {
      await admitAgain(context, caller)
      await sendFile(context, { request, response, file, reader })
    })
  }
}

/** `GET /object/sign/{bucket}/{name}?token=`: the token is the permission. */
export function sendSignedFile(context: ServerContext): RequestHandler {
  return async (request, response) => {
    const { bucket, name } = readPlace(request)
    const id = await verifyRead(context, readQueryText(request, 'token'), `${bucket}/${name}`)
    const file = await findFile(context.db, { bucket, name })
    if (file?.id !== id) throw new StorageFailure('no_file', 'Object not found')
    // Pages of other origins show it too: whoever has the URL has the permission.
    response.set('Cross-Origin-Resource-Policy', 'cross-origin')
    await context.admission.inDownloadQueue(nameSender(undefined, request), () =>
      sendFile(context, { request, response, file, reader: undefined }),
    )
  }
}

/** One answer with a file; `reader` may lose the right to it while it is sent. */
interface Sending {
  request: Request
  response: Response
  file: StoredFile
  reader: Principal | undefined
}

async function sendFile(context: ServerContext, { request, response, file, reader }: Sending): Promise<void> {
  if (response.destroyed) return
  setHeaders(request, response, file)
  const verdict = judgeRange(request, { tag: tagOf(file), changedAt: file.updated_at, size: file.size })
  if (verdict.state === 'unchanged') return void response.status(304).end()
  if (verdict.state === 'unsatisfiable') {
    response.set('Content-Range', `bytes */${file.size}`)
    throw new StorageFailure('bad_range', 'The file has no such range.')
  }
  const { start, end } = verdict
  if (verdict.state === 'part')
    response.status(206).set('Content-Range', `bytes ${start}-${end}/${file.size}`)
  response.set('Content-Length', String(end - start + 1))
  if (request.method === 'HEAD') return void response.end()
  const bytes = await context.files.read(file.sha256, file.size === 0 ? undefined : { start, end })
  void noteAccess(context.db, file.id).catch((error: unknown) => {
    context.logger.debug({ err: error }, 'an access to a file was not noted')
  })
  await send(response, reader === undefined ? bytes : whileAllowed(context, reader, bytes, LOOK_EVERY_MS))
}

async function send(response: Response, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await pipeline(Readable.from(bytes, { objectMode: false }), response)
  } catch (error) {
    // The reader hung up: no failure.
    const isGone = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (!isGone) throw error
  }
}

function setHeaders(request: Request, response: Response, file: StoredFile): void {
  response.set({
    'Content-Type': file.content_type,
    'Accept-Ranges': 'bytes',
    ETag: tagOf(file),
    'Last-Modified': file.updated_at.toUTCString(),
    'Cache-Control': `private, ${keptFor(file)}`,
    'Content-Security-Policy': SANDBOX,
    'X-Content-Type-Options': 'nosniff',
  })
  const wish = readQueryText(request, 'download')
  const isShown = wish === undefined && SHOWN.test(bareType(file.content_type))
  if (!isShown) response.attachment(wish === undefined || wish === '' ? lastPart(file.name) : wish)
  // `attachment` takes the type from the name.
  response.set('Content-Type', file.content_type)
}

function keptFor({ bucket_id, cache_control }: StoredFile): string {
  const seconds = /^max-age=(\d+)$/.exec(cache_control)?.[1]
  if (seconds === undefined) return 'no-cache'
  return `max-age=${isProductBucket(bucket_id) ? Math.min(Number(seconds), LONGEST_KEPT) : seconds}`
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
