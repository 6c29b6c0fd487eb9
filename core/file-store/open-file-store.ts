import path from 'node:path'
import { openDiskStore } from './open-disk-store.ts'
import type { FileStore } from './file-store.ts'

/** Opens the store of files that the configuration names. It holds nothing open between calls. */
export function openFileStore(config: { dataDir: string }): FileStore {
  return openDiskStore(path.join(config.dataDir, 'files'))
}
