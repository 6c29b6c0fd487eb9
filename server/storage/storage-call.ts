import type { Request, RequestHandler, Response } from 'express'
import { z } from 'zod'
import { FILE_LIMITS } from '#core/contract/files/buckets.ts'
import { isFileName } from '#core/domain/files/judge-file-name.ts'
import type { ServerContext } from '../context.ts'
import { decodeText, parseJson } from '../http/body/decode-body.ts'
import { receiveBytes } from '../http/body/receive-bytes.ts'
import { readInput } from '../http/read-input.ts'
import { holdUntilTaken, refuseUnlessRead } from '../http/errors/unread-answers.ts'
import { admitAgain, identifyCaller, type StorageCaller } from './identify-caller.ts'
import { StorageFailure } from './storage-failure.ts'

/** A call of a known caller, before anything was decided. */
export interface StorageCall {
  context: ServerContext
  caller: StorageCaller
  request: Request
  response: Response
}

/** A thousand names of the longest. */
const LONGEST_BODY = 1_100_000
const JSON_LIMITS = { deepest: 20, values: 5000 }

/**
 * A call with a small answer. The caller is known before its body is read, and it waits in the same queue as the
 * account's other requests.
 */
export function answerJson(
  context: ServerContext,
  handle: (call: StorageCall) => Promise<unknown>,
): RequestHandler[] {
  const callers = new WeakMap<Request, StorageCaller>()
  const senderOf = (request: Request): string => callers.get(request)?.sender.name ?? ''
  return [
    async (request, _response, next) => {
      callers.set(request, await identifyCaller(context, request))
      next()
    },
    receiveBytes(LONGEST_BODY, senderOf),
    async (request, response) => {
      const caller = callers.get(request) ?? (await identifyCaller(context, request))
      const answerOne = async (): Promise<number> => {
        if (response.destroyed) return 0
        await admitAgain(context, caller)
        refuseUnlessRead(caller.sender.name)
        const text = JSON.stringify(await handle({ context, caller, request, response }))
        response.set('Cache-Control', 'no-store').type('application/json').send(text)
        holdUntilTaken(caller.sender.name, text.length, response)
        return text.length
      }
      await context.admission.inAccountQueue(caller.sender, answerOne, (length) => length)
    },
  ]
}

/** @throws StorageFailure for a body that its schema refuses */
export function readBody<Schema extends z.ZodType>(request: Request, schema: Schema): z.output<Schema> {
  const text = decodeText(request)
  const parsed = text === undefined || text === '' ? undefined : parseJson(text, JSON_LIMITS)
  if (text !== '' && parsed?.ok !== true) throw new StorageFailure('bad_request', 'The body is no JSON.')
  const read = readInput(schema, parsed?.ok === true ? parsed.value : {})
  if (read.ok) return read.value
  const [first] = read.errors
  throw new StorageFailure('bad_request', `body/${first?.path ?? ''} ${first?.message ?? 'is not valid'}`)
}

/** The bucket of the path. */
export function readBucket(request: Request): string {
  return readParameter(request, 'bucket')
}

/**
 * The bucket and the name of the path.
 * @throws StorageFailure bad_name
 */
export function readPlace(request: Request): { bucket: string; name: string } {
  const place = { bucket: readBucket(request), name: readParameter(request, 'name') }
  if (!isFileName(place.name, FILE_LIMITS.nameBytes)) throw new StorageFailure('bad_name', 'Invalid key')
  return place
}

/** A parameter of the query; of several with this name the first one counts. */
export function readQueryText(request: Request, name: string): string | undefined {
  const given: unknown = request.query[name]
  const value: unknown = Array.isArray(given) ? given[0] : given
  return typeof value === 'string' ? value : undefined
}

/** A wildcard arrives as its folders. */
function readParameter(request: Request, name: string): string {
  const value: unknown = request.params[name]
  return Array.isArray(value) ? value.join('/') : typeof value === 'string' ? value : ''
}

/** A file's own data, which its sender gives: a small JSON object. */
export function readMetadata(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined || text === '') return undefined
  const parsed = text.length > FILE_LIMITS.metadataBytes ? undefined : parseJson(text, JSON_LIMITS)
  const read = readInput(z.record(z.string(), z.unknown()), parsed?.ok === true ? parsed.value : undefined)
  if (!read.ok) throw new StorageFailure('bad_request', 'The metadata must be a JSON object of at most 8 KB.')
  return read.value
}
