import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import type { RequestHandler } from 'express'
import { askForBody } from '#core/http/ask-for-body.ts'

/** A body that cannot be taken. Its fault is one of recognise-error.ts. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
  readonly fault: 'body_too_large' | 'unsupported_encoding' | 'unreadable_body'
  constructor(fault: BodyError['fault'], options?: ErrorOptions) {
    super(fault, options)
    this.fault = fault
  }
}

const UNPACK = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
}

/**
 * Takes a body's bytes, unpacked, whatever type they claim to be. More than the limit are refused as soon as it is known: where the
 * length is declared, before the first of them. The rest is the connection's (core/http).
 */
export function receiveBytes(limit: number): RequestHandler {
  return async (request, response, next) => {
    request.body = await take(request, response, limit)
    next()
  }
}

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<Buffer | undefined> {
  const { 'content-length': length = '0', 'transfer-encoding': chunked } = request.headers
  if (chunked === undefined && Number(length) === 0) return undefined
  const coding = request.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (!isKnown(coding)) throw new BodyError('unsupported_encoding')
  if (Number(length) > limit) throw new BodyError('body_too_large')
  askForBody(request, response)
  const bytes = await collect(request, limit)
  return coding === 'identity' || bytes.length === 0 ? bytes : await unpack(bytes, coding, limit)
}

type Packed = keyof typeof UNPACK

function isKnown(coding: string): coding is Packed | 'identity' {
  return coding === 'identity' || Object.hasOwn(UNPACK, coding)
}

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    request.on('data', (piece: Buffer) => {
      size += piece.length
      if (size <= limit) {
        pieces.push(piece)
        return
      }
      // Whatever still comes is dropped.
      pieces.length = 0
      reject(new BodyError('body_too_large'))
    })
    const fail = (cause?: unknown): void => reject(new BodyError('unreadable_body', { cause }))
    request.once('end', () => resolve(Buffer.concat(pieces)))
    request.once('error', fail)
    request.once('close', () => fail())
    // It broke off before anybody listened.
    if (request.destroyed) fail()
  })
}

/** Packed, a body may be a thousand times as large as it came: it is unpacked no further than the limit. */
async function unpack(bytes: Buffer, coding: Packed, limit: number): Promise<Buffer> {
  try {
    return await UNPACK[coding](bytes, { maxOutputLength: limit })
  } catch (cause) {
    const isTooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    throw new BodyError(isTooLarge ? 'body_too_large' : 'unreadable_body', { cause })
  }
}
