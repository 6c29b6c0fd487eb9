import { access, constants, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const IN_MEMORY = '/dev/shm'
const GIB = 2 ** 30
/** Four times what a whole run was seen to keep there at once. */
const ROOM_BYTES = 2 * GIB
/** So that browsers and services have theirs besides. */
const MEMORY_BYTES = 6 * GIB

/**
 * Where a test run puts its throw-away files: in memory where there is plenty. Each copied database is hundreds of small
 * files, and making those anew right after others went is dear on a disk (ext4 looks through what was just deleted).
 */
export async function temporaryRoot(): Promise<string> {
  try {
    await access(IN_MEMORY, constants.W_OK)
    const { bavail, bsize } = await statfs(IN_MEMORY)
    if (bavail * bsize >= ROOM_BYTES && process.availableMemory() >= MEMORY_BYTES) return IN_MEMORY
  } catch {
    // No such place: the usual one then.
  }
  return tmpdir()
}
