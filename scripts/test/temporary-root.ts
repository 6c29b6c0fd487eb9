import { access, constants, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const IN_MEMORY = '/dev/shm'
const GIB = 2 ** 30
/** Four times the most that a whole run was seen to use at once. */
const ROOM_BYTES = 2 * GIB
/** This much must stay free for browsers and services. */
const MEMORY_BYTES = 6 * GIB

/**
 * The folder for a test run's temporary files: in memory if there is plenty. Each copied database is hundreds
 * of small files, and creating those right after deleting others is slow on a disk (ext4 scans what was just
 * deleted).
 */
export async function temporaryRoot(): Promise<string> {
  try {
    await access(IN_MEMORY, constants.W_OK)
    const { bavail, bsize } = await statfs(IN_MEMORY)
    if (bavail * bsize >= ROOM_BYTES && process.availableMemory() >= MEMORY_BYTES) return IN_MEMORY
  } catch {
    // There is no such folder: use the default.
  }
  return tmpdir()
}
