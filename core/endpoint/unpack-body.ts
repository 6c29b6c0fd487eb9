import type { Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { limitParallel } from '../concurrency/limit-parallel.ts'

/**
 * Limit of bodies that are unpacked at once: each takes one of the four threads that also resolve names, and up to 16
 * MB for its window.
 */
const MOST_AT_ONCE = 2
/** Limit of codings of one answer. Only an attacker compresses three times. */
const MOST_CODINGS = 2
/** RFC 9659 §3: no zstd answer over HTTP needs a window of more than 8 MB. */
const LARGEST_ZSTD_WINDOW = 23

type Open = (packed: Buffer) => Transform

// Each returns as much as there is of a body that was cut: a flush replaces the end.
const zlib = { finishFlush: constants.Z_SYNC_FLUSH }
const inflate: Open = (packed) => {
  if (isGzip(packed)) return createGunzip(zlib)
  return hasZlibHeader(packed) ? createInflate(zlib) : createInflateRaw(zlib)
}
const OPENERS: Readonly<Record<string, Open>> = {
  // One method in three formats, which their first bytes tell apart: some servers send `deflate` without any (RFC 9110
  // §8.4.1.2).
  gzip: inflate,
  'x-gzip': inflate,
  deflate: inflate,
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () =>
    createZstdDecompress({
      finishFlush: constants.ZSTD_e_flush,
      params: { [constants.ZSTD_d_windowLogMax]: LARGEST_ZSTD_WINDOW },
    }),
}

const NOTHING = Buffer.alloc(0)
const inLine = limitParallel(MOST_AT_ONCE, Infinity, () => new Error('No limit was set'))

/** The decompressed bytes; `note` says why there are none. */
export interface Unpacked {
  bytes: Buffer
  /** whether there are more of them */
  isCut: boolean
  note?: string
}

/**
 * Undoes the codings that `Content-Encoding` names, off the shared thread.
 * @param packed at most as long as what is kept: its work is bounded by that and by `mostBytes`
 * @param mostBytes limit on the unpacked bytes; the rest is not unpacked
 */
export async function unpackBody(packed: Buffer, codings: string, mostBytes: number): Promise<Unpacked> {
  const named = codings
    .toLowerCase()
    .split(',')
    .map((name) => name.replace(/;.*$/, '').replaceAll('"', '').trim())
    .filter((name) => name !== '' && name !== 'identity' && name !== 'chunked')
  // No text begins as gzip does, and programs that store their answers packed may not declare it.
  const names = named.length === 0 && isGzip(packed) ? ['gzip'] : named
  let unpacked: Unpacked = { bytes: packed, isCut: false }
  if (names.length === 0 || packed.length === 0) return unpacked
  const openers = names.flatMap((name) => (Object.hasOwn(OPENERS, name) ? (OPENERS[name] ?? []) : []))
  const shown = /^[\w.+, -]{1,60}$/.test(names.join(', ')) ? `as "${names.join(', ')}"` : 'in an unknown way'
  if (openers.length !== names.length || names.length > MOST_CODINGS)
    return { bytes: NOTHING, isCut: false, note: `its body is packed ${shown}, which is not unpacked` }
  for (const open of openers.toReversed()) {
    const next = await inLine(() => readUpTo(open(unpacked.bytes), unpacked.bytes, mostBytes))
    if (next === undefined)
      return {
        bytes: NOTHING,
        isCut: false,
        note: `its body is said to be packed ${shown}, and could not be unpacked`,
      }
    unpacked = { bytes: next.bytes, isCut: next.isCut || unpacked.isCut }
  }
  return unpacked
}

/** undefined if zlib cannot read the bytes in the named coding. */
async function readUpTo(stream: Transform, packed: Buffer, mostBytes: number): Promise<Unpacked | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  stream.end(packed)
  try {
    // Leaving the loop destroys the stream, so nothing further is unpacked.
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length > mostBytes) break
    }
  } catch {
    return undefined
  }
  return { bytes: Buffer.concat(chunks).subarray(0, mostBytes), isCut: length > mostBytes }
}

/** RFC 1952 §2.3.1. */
function isGzip([first, second]: Buffer): boolean {
  return first === 0x1f && second === 0x8b
}

/** RFC 1950 §2.2. */
function hasZlibHeader([first = 0, second = 0]: Buffer): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0
}
