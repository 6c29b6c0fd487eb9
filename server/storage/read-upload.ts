import type { BusboyHeaders, BusboyInstance } from '@fastify/busboy'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Request, Response } from 'express'
import { askForBody } from '#core/http/ask-for-body.ts'
import { FILE_LIMITS } from '#core/contract/files/buckets.ts'
import { readMetadata } from './storage-call.ts'
import { StorageFailure } from './storage-failure.ts'

/** A file as its sender sends it. The bytes come as they are read, never whole. */
export interface Upload {
  content_type: string
  cache_control: string | undefined
  metadata: Record<string, unknown> | undefined
  /** bytes of the file, or a few more with the frame of a form */
  declared: number
  bytes: AsyncIterable<Uint8Array>
  /** Takes no further bytes, so that a refusal can be answered. */
  leave: () => void
}

const DEFAULT_TYPE = 'application/octet-stream'
/** Type, subtype and parameters in printable ASCII: it is sent as a header again. */
const TYPE = /^[\w.+-]+\/[\w.+-]+(?:\s*;[\x20-\x7e]*)?$/
const LONGEST_TYPE = 255
/** Bytes of a form around its file. */
const FRAME = 16_384
const YEAR_SECONDS = 31_536_000

/**
 * Reads the head of an upload: the body itself, or a form whose fields come before the file.
 * @throws StorageFailure
 */
export async function readUpload(request: Request, response: Response): Promise<Upload> {
  const encoding = request.get('Content-Encoding')?.toLowerCase() ?? 'identity'
  if (encoding !== 'identity')
    throw new StorageFailure('bad_request', 'Files are kept as they are: send no Content-Encoding.')
  const declared = Number(request.get('Content-Length') ?? 0)
  const isForm = request.is('multipart/form-data') === 'multipart/form-data'
  // A length that can never be stored is refused before the sender is asked for a byte.
  if (declared > FILE_LIMITS.size + (isForm ? FRAME : 0))
    throw new StorageFailure('too_large', 'The object exceeded the maximum allowed size')
  askForBody(request, response)
  if (isForm) return await readForm(request, Math.max(0, declared - FRAME))
  return {
    content_type: readType(request.get('Content-Type')),
    cache_control: readCacheControl(request.get('Cache-Control')),
    metadata: readMetadata(decodeHeader(request.get('X-Metadata'))),
    declared,
    // The connection stays open for the answer if the store takes no more bytes.
    bytes: request.iterator({ destroyOnReturn: false }),
    leave: () => undefined,
  }
}

async function readForm(request: Request, declared: number): Promise<Upload> {
  const { fields, file, type, leave } = await openForm(request, await openParser(request.headers))
  try {
    return {
      content_type: readType(fields.get('contentType') ?? type),
      cache_control: readCacheControl(fields.get('cacheControl')),
      metadata: readMetadata(fields.get('metadata')),
      declared,
      bytes: file.iterator({ destroyOnReturn: false }),
      leave,
    }
  } catch (error) {
    leave()
    throw error
  }
}

/** The fields before the file, and the file. */
function openForm(
  request: IncomingMessage,
  form: BusboyInstance,
): Promise<{ fields: Map<string, string>; file: Readable; type: string; leave: () => void }> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>()
    let file: Readable | undefined
    const leave = (): void => {
      request.unpipe(form)
      file?.resume()
    }
    const fail = (error: Error): void => {
      request.unpipe(form)
      file?.destroy(error)
      reject(error)
    }
    form.on('field', (name, value) => void fields.set(name, value))
    form.on('file', (_name, stream, _filename, _encoding, type) => {
      file = stream
      // Its reader hears of the fault too; without a listener it would end the process if nobody reads yet.
      stream.on('error', () => undefined)
      resolve({ fields, file: stream, type, leave })
    })
    form.on('error', () => fail(new StorageFailure('bad_request', 'The form could not be read to its end.')))
    form.once('finish', () => reject(new StorageFailure('bad_request', 'The form has no file.')))
    // A pipe does not end its target when its source breaks.
    request.once('close', () => {
      if (!request.complete) fail(new StorageFailure('bad_request', 'The upload broke off.'))
    })
    request.pipe(form)
  })
}

async function openParser(headers: IncomingMessage['headers']): Promise<BusboyInstance> {
  // Few uploads are forms, so a server that starts does not load it.
  const { Busboy } = await import('@fastify/busboy')
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: { fields: 10, fieldNameSize: 100, fieldSize: FILE_LIMITS.metadataBytes, files: 1, parts: 11 },
    })
  } catch {
    throw new StorageFailure('bad_request', 'The form has no boundary.')
  }
}

/** @throws StorageFailure for a type that cannot be sent as a header again */
export function readType(given: string | undefined): string {
  const type = given?.trim() ?? ''
  if (type === '') return DEFAULT_TYPE
  if (type.length > LONGEST_TYPE || !TYPE.test(type))
    throw new StorageFailure('bad_type', 'mime type is not valid')
  return type
}

/** The client library sends seconds, or a header with them. Nothing else is kept. */
export function readCacheControl(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  if (/\bno-(?:store|cache)\b/i.test(given)) return 'no-cache'
  const seconds = /^\s*(?:.*\bmax-age=)?(\d{1,10})\b/i.exec(given)?.[1]
  return seconds === undefined ? undefined : `max-age=${Math.min(Number(seconds), YEAR_SECONDS)}`
}

function decodeHeader(base64: string | undefined): string | undefined {
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString('utf8')
}
