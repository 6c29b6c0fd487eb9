import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pathOfBytes } from '#core/file-store/path-of-bytes.ts'
import { hasCode } from '#core/file-store/has-code.ts'
import { syncFolder } from '#core/write-file-atomically.ts'

/** Bytes of a stored file: SHA-256 in lower-case hex, and size. */
export interface StoredBytes {
  sha256: string
  size: number
}

/** SHA-256 in lower-case hex. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/**
 * Copies stored files from one folder to another by the names of their content, synced. Bytes that the target has are left
 * alone. Those that an earlier backup has are linked to it: they cannot change, and take no further space.
 * @returns names of those that the source lacks
 */
export async function copyFiles(
  { from, to, earlier }: { from: string; to: string; earlier?: string | undefined },
  files: readonly StoredBytes[],
): Promise<string[]> {
  const missing: string[] = []
  const folders = new Set([to])
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const { sha256, size } of files) {
    const place = pathOfBytes(sha256)
    const target = path.join(to, place)
    if (await hasSize(target, size)) continue
    for (let folder = path.dirname(target); folder !== to; folder = path.dirname(folder)) folders.add(folder)
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
    if (earlier !== undefined && (await isLinked(path.join(earlier, place), target, size))) continue
    if (!(await copyOne(path.join(from, place), target))) missing.push(sha256)
  }
  for (const folder of folders) await syncFolder(folder)
  return missing
}

/** @returns names of files whose bytes are missing or differ from their name */
export async function findDamagedFiles(folder: string, files: readonly StoredBytes[]): Promise<string[]> {
  const damaged: string[] = []
  for (const { sha256 } of files) {
    const found = await hashFile(path.join(folder, pathOfBytes(sha256))).catch(() => undefined)
    if (found !== sha256) damaged.push(sha256)
  }
  return damaged
}

/** Bytes and hashes of all files below a folder, by their path. */
export async function describeFolder(
  folder: string,
  prefix: string,
): Promise<Record<string, { bytes: number; sha256: string }>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  const described: Record<string, { bytes: number; sha256: string }> = {}
  for (const { parentPath, name } of files) {
    const file = path.join(parentPath, name)
    const { size } = await stat(file)
    const inside = path.relative(folder, file).replaceAll('\\', '/')
    described[`${prefix}/${inside}`] = { bytes: size, sha256: await hashFile(file) }
  }
  return described
}

async function hasSize(file: string, size: number): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  return found?.size === size
}

async function isLinked(earlier: string, target: string, size: number): Promise<boolean> {
  if (!(await hasSize(earlier, size))) return false
  return await link(earlier, target).then(
    () => true,
    // Another disk, or one without links.
    () => false,
  )
}

async function copyOne(source: string, target: string): Promise<boolean> {
  const unfinished = `${target}.part`
  try {
    await copyFile(source, unfinished)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    await rm(unfinished, { force: true })
    throw error
  }
  const handle = await open(unfinished, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(unfinished, target)
  return true
}
