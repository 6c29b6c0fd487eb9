import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SiteImage } from './render-markdown.ts'

/**
 * Copies the pictures of docs/site/images to the app's assets, named by their content; returns their
 * addresses.
 */
export async function copyImages(repository: string, out: string): Promise<Map<string, SiteImage>> {
  const folder = path.join(repository, 'docs/site/images')
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  await mkdir(path.join(out, 'assets'), { recursive: true })
  const images = new Map<string, SiteImage>()
  for (const entry of found.filter((one) => one.isFile() && one.name.endsWith('.webp'))) {
    const file = path.join(entry.parentPath, entry.name)
    const bytes = await readFile(file)
    const name = path.relative(folder, file).replaceAll(path.sep, '/')
    const mark = createHash('sha256').update(bytes).digest('base64url').slice(0, 8)
    const url = `/assets/${name.replace(/\.webp$/, '').replaceAll('/', '-')}-${mark}.webp`
    await writeFile(path.join(out, url), bytes)
    images.set(name, { url, ...readSize(bytes, name) })
  }
  return images
}

/** Reads the size of a WebP picture: lossy, lossless or extended format (RFC 9649 §2.5 to §2.7). */
export function readSize(bytes: Buffer, name: string): { width: number; height: number } {
  const kind = bytes.toString('latin1', 12, 16)
  if (bytes.toString('latin1', 0, 4) === 'RIFF') {
    if (kind === 'VP8 ')
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    if (kind === 'VP8L') {
      const size = bytes.readUInt32LE(21)
      return { width: (size & 0x3fff) + 1, height: ((size >>> 14) & 0x3fff) + 1 }
    }
    if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  }
  throw new Error(`${name} is no WebP picture`)
}
