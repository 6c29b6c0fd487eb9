import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { requireSpace } from './disk-space.ts'
import {
  FileInfected,
  FileScanFailed,
  FileStoreFull,
  FileTooLarge,
  type WriteLimits,
  type WrittenContent,
} from './file-store.ts'
import { hasCode } from './has-code.ts'
import { scanFile, type ScanSettings } from './scan-file.ts'

/** The free space is read again after this many bytes. */
const LOOK_EVERY_BYTES = 16 * 1024 * 1024
/** No room, quota of the disk reached, or a file as large as the file system allows. */
const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** The folder of unfinished bytes, and the checks that they must pass. */
export interface Staging {
  folder: string
  /** bytes that must stay free on its disk */
  reserveBytes: number
  scan?: ScanSettings | undefined
}

/**
 * Writes bytes to a temporary file, syncs it, scans it and announces it; then `place` puts it where it belongs. Nothing
 * is left of bytes that break off or are refused.
 * @throws as FileStore.write
 */
export async function stageBytes(
  staging: Staging,
  bytes: AsyncIterable<Uint8Array>,
  { mostBytes, scans, announce }: WriteLimits,
  place: (file: string, content: WrittenContent) => Promise<void>,
): Promise<WrittenContent> {
  const folder = unfinishedOf(staging)
  const file = path.join(folder, randomUUID())
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const content = await writeSynced(file, bytes, mostBytes, () =>
      requireSpace(folder, staging.reserveBytes),
    )
    if (scans === true && staging.scan !== undefined) await requireClean(staging.scan, file)
    await announce?.(content)
    await place(file, content)
    return content
  } catch (error) {
    throw FULL.some((code) => hasCode(error, code)) ? new FileStoreFull(error) : error
  } finally {
    await rm(file, { force: true })
  }
}

/** Removes files that a crash left behind, and resumable uploads, before this moment. Returns how many. */
export async function removeUnfinished(staging: Pick<Staging, 'folder'>, before: Date): Promise<number> {
  let removed = 0
  for (const folder of [unfinishedOf(staging), resumableFolder(staging)]) {
    for (const name of await listNames(folder)) {
      const file = path.join(folder, name)
      const found = await stat(file).catch(() => undefined)
      if (found === undefined || found.mtime >= before) continue
      await rm(file, { force: true })
      removed += 1
    }
  }
  return removed
}

/** The folder of uploads that may be cut and go on. */
export function resumableFolder({ folder }: Pick<Staging, 'folder'>): string {
  return path.join(folder, 'resumable')
}

function unfinishedOf({ folder }: Pick<Staging, 'folder'>): string {
  return path.join(folder, 'unfinished')
}

async function writeSynced(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: number,
  requireRoom: () => Promise<void>,
): Promise<WrittenContent> {
  await requireRoom()
  const hash = createHash('sha256')
  let [size, looked] = [0, 0]
  const handle = await open(file, 'wx', 0o600)
  try {
    for await (const piece of bytes) {
      size += piece.byteLength
      if (size > mostBytes) throw new FileTooLarge(mostBytes)
      if (size - looked >= LOOK_EVERY_BYTES) {
        await requireRoom()
        looked = size
      }
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

async function requireClean(scan: ScanSettings, file: string): Promise<void> {
  const result = await scanFile(scan, file)
  if (result.kind === 'infected') throw new FileInfected()
  if (result.kind === 'failed') throw new FileScanFailed(result.reason)
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}
