import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from '../write-file-atomically.ts'
import { FileMissing, type FileStore } from './file-store.ts'
import { hasCode } from './has-code.ts'
import { pathOfBytes } from './path-of-bytes.ts'
import { removeUnfinished, stageBytes, type Staging } from './stage-bytes.ts'

/** Bytes of one read from the disk. */
const PIECE = 256 * 1024

/**
 * Keeps bytes in a folder. They are written beside their place, synced and renamed, so a reader finds all of them or
 * none, also after a crash. Several machines may share the folder.
 */
export function openDiskStore(staging: Staging): FileStore {
  const { folder } = staging
  const placeOf = (sha256: string): string => path.join(folder, pathOfBytes(sha256))
  return {
    write: async (bytes, limits) =>
      await stageBytes(staging, bytes, limits, (file, { sha256 }) => moveInto(folder, file, placeOf(sha256))),
    read: async (sha256, range) => {
      const handle = await openForReading(placeOf(sha256), sha256)
      const { start, end } = range ?? { start: 0, end: Infinity }
      return handle.createReadStream({ start, end, highWaterMark: PIECE })
    },
    remove: (sha256) => rm(placeOf(sha256), { force: true }),
    removeUnfinished: (before) => removeUnfinished(staging, before),
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
