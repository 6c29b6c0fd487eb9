import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import type { Request, RequestHandler, Response } from 'express'
import { askForBody } from '#core/http/ask-for-body.ts'
import { readCaller } from '../../identity/caller.ts'
import { MEMORY } from '#server/admission/limits.ts'
import { createEndlessQueue } from '#server/admission/request-queue.ts'
import { memoryOfProcess } from '#server/admission/memory.ts'
import { joinPieces } from './join-pieces.ts'

/** A body that cannot be received. Its fault is one of recognise-error.ts. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
  readonly fault: 'body_too_large' | 'too_many_bodies' | 'unsupported_encoding' | 'unreadable_body'
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

/** A caller's compressed bodies are decompressed one by one. */
const ofCaller = createEndlessQueue(1)
const ofAll = createEndlessQueue(MEMORY.unpackedTogether)

/**
 * Receives a body's bytes of any declared type and decompresses them. A body above the limit is refused as
 * soon as that is known: with a declared length, before its first byte. The connection deals with the rest
 * (core/http).
 * @param nameCaller names the caller whose bodies are counted together; by default its network
 */
export function receiveBytes(
  limit: number,
  nameCaller: (request: Request) => string = (request) => readCaller(request).network,
): RequestHandler {
  return async (request, response, next) => {
    request.body = await take(request, response, limit, nameCaller)
    next()
  }
}

async function take(
  request: Request,
  response: Response,
  limit: number,
  nameCaller: (request: Request) => string,
): Promise<Buffer | undefined> {
  const { 'content-length': length = '0', 'transfer-encoding': chunked } = request.headers
  if (chunked === undefined && Number(length) === 0) return undefined
  const coding = request.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (!isKnown(coding)) throw new BodyError('unsupported_encoding')
  if (Number(length) > limit) throw new BodyError('body_too_large')
  askForBody(request, response)
  const caller = nameCaller(request)
  const { mayHold, end } = memoryOfProcess.open(caller)
  if (response.closed) throw new BodyError('unreadable_body')
  response.once('close', end)
  const bytes = await collect(request, limit, mayHold)
  if (coding === 'identity' || bytes.length === 0) return bytes
  const unpackOne = async (): Promise<Buffer> => {
    // A caller that hung up leaves the queue.
    if (response.closed) throw new BodyError('unreadable_body')
    return await unpack(bytes, coding, limit)
  }
  const unpacked = await ofCaller(caller, () => ofAll('all', unpackOne))
  if (!mayHold(unpacked.length)) throw new BodyError('too_many_bodies')
  return unpacked
}

type Packed = keyof typeof UNPACK

function isKnown(coding: string): coding is Packed | 'identity' {
  return coding === 'identity' || Object.hasOwn(UNPACK, coding)
}

function collect(
  request: IncomingMessage,
  limit: number,
  mayHold: (bytes: number) => boolean,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces = joinPieces()
    let fault: BodyError['fault'] | undefined
    request.on('data', (piece: Buffer) => {
      // Later bytes are dropped.
      if (fault !== undefined) return
      if (pieces.size() + piece.length > limit) fault = 'body_too_large'
      else if (!mayHold(piece.length)) fault = 'too_many_bodies'
      else {
        pieces.add(piece)
        return
      }
      pieces.drop()
      reject(new BodyError(fault))
    })
    const fail = (cause?: unknown): void => reject(new BodyError('unreadable_body', { cause }))
    request.once('end', () => resolve(pieces.joined()))
    request.once('error', fail)
    // Every request closes after its answer, and creating an error is costly.
    request.once('close', () => {
      if (!request.readableEnded) fail()
    })
    // The request broke off before this listener was added.
    if (request.destroyed) fail()
  })
}

/** A compressed body may grow a thousandfold, so decompression stops at the limit. */
async function unpack(bytes: Buffer, coding: Packed, limit: number): Promise<Buffer> {
  try {
    return await UNPACK[coding](bytes, { maxOutputLength: limit })
  } catch (cause) {
    const isTooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    throw new BodyError(isTooLarge ? 'body_too_large' : 'unreadable_body', { cause })
  }
}
