import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from '../write-file-atomically.ts'
import {
  FileMissing,
  FileStoreFull,
  FileTooLarge,
  type FileStore,
  type WrittenContent,
} from './file-store.ts'

const SHA256 = /^[0-9a-f]{64}$/
/** Bytes of one read from the disk. */
const PIECE = 256 * 1024
/** No room, quota of the disk reached, or a file as large as the file system allows. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/**
 * Keeps bytes in a folder: `ab/cd/<hash>`, so that no folder has too many entries. Bytes are written beside their place,
 * synced and renamed, so a reader finds all of them or none, also after a crash. Several machines may share the folder.
 */
export function openDiskStore(folder: string): FileStore {
  const unfinished = path.join(folder, 'unfinished')
  const placeOf = (sha256: string): string => {
    if (!SHA256.test(sha256)) throw new TypeError('A key of the file store is a SHA-256 in lower-case hex')
    return path.join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  }
  return {
    write: async (bytes, { mostBytes, announce }) => {
      await mkdir(unfinished, { recursive: true, mode: 0o700 })
      const file = path.join(unfinished, randomUUID())
      try {
        const content = await writeSynced(file, bytes, mostBytes)
        await announce?.(content)
        await moveInto(folder, file, placeOf(content.sha256))
        return content
      } catch (error) {
        await rm(file, { force: true })
        throw isFull(error) ? new FileStoreFull(error) : error
      }
    },
    read: async (sha256, range) => {
      const handle = await openForReading(placeOf(sha256), sha256)
      const { start, end } = range ?? { start: 0, end: Infinity }
      return handle.createReadStream({ start, end, highWaterMark: PIECE })
    },
    remove: (sha256) => rm(placeOf(sha256), { force: true }),
    removeUnfinished: (before) => removeOlder(unfinished, before),
  }
}

async function writeSynced(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<WrittenContent> {
  const hash = createHash('sha256')
  let size = 0
  const handle = await open(file, 'wx', 0o600)
  try {
    for await (const piece of bytes) {
      size += piece.byteLength
      if (size > mostBytes) throw new FileTooLarge(mostBytes)
      hash.update(piece)
      await writeWhole(handle, piece)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return { sha256: hash.digest('hex'), size }
}

/** One call may write fewer bytes than it was given. */
async function writeWhole(handle: FileHandle, piece: Uint8Array): Promise<void> {
  for (let written = 0; written < piece.byteLength;) {
    const { bytesWritten } = await handle.write(piece, written)
    written += bytesWritten
  }
}

/** A name is durable once its folder is synced, and a new folder once its parent is. */
async function moveInto(root: string, from: string, to: string): Promise<void> {
  const folder = path.dirname(to)
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  await rename(from, to)
  await syncFolder(folder)
  if (made === undefined) return
  await syncFolder(path.dirname(folder))
  await syncFolder(root)
}

async function openForReading(file: string, sha256: string): Promise<FileHandle> {
  try {
    return await open(file, 'r')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new FileMissing(sha256, error)
    throw error
  }
}

async function removeOlder(folder: string, before: Date): Promise<number> {
  let removed = 0
  for (const name of await listNames(folder)) {
    const file = path.join(folder, name)
    const found = await stat(file).catch(() => undefined)
    if (found === undefined || found.mtime >= before) continue
    await rm(file, { force: true })
    removed += 1
  }
  return removed
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && FULL.has(error.code)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
