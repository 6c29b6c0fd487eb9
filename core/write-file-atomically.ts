import { open, rename } from 'node:fs/promises'
import path from 'node:path'

/**
 * Writes a file that only its owner may read, whole or not at all. A reader meanwhile, or after a crash or on a full
 * disk, finds either the old or the new content.
 */
export async function writeFileAtomically(file: string, content: Buffer | string): Promise<void> {
  const unfinished = `${file}.part`
  const handle = await open(unfinished, 'w', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(unfinished, file)
  // The folder holds the name, so the name is durable only once the folder is.
  await syncFolder(path.dirname(file))
}

/** Makes the names in a folder durable. Windows cannot open a folder, and needs no such call. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
