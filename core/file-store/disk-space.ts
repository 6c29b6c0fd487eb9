import { statfs } from 'node:fs/promises'
import { FileStoreFull } from './file-store.ts'

/** Bytes that an ordinary user may still write on the disk of this folder. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * Refuses files while less than the reserve is free, so that they never take the space that PostgreSQL, Redis, mails and
 * logs on the same disk need.
 * @param bytes declared bytes that are to come
 * @throws FileStoreFull
 */
export async function requireSpace(folder: string, reserveBytes: number, bytes = 0): Promise<void> {
  const left = (await readFreeBytes(folder)) - bytes
  if (left < reserveBytes)
    throw new FileStoreFull(new Error(`${left} bytes would be left of ${reserveBytes} reserved`))
}
