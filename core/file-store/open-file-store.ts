import type { Config } from '../config/config.ts'
import { loadOnce } from '../load-once.ts'
import type { FileStore } from './file-store.ts'

/**
 * Opens the store of files that the configuration names. It holds nothing open between calls, and its modules are loaded
 * with the first of them.
 */
export function openFileStore({ files }: Pick<Config, 'files'>): FileStore {
  const open = loadOnce(() => load(files))
  return {
    write: async (...given) => await (await open()).write(...given),
    read: async (...given) => await (await open()).read(...given),
    remove: async (...given) => {
      await (await open()).remove(...given)
    },
    removeUnfinished: async (...given) => await (await open()).removeUnfinished(...given),
  }
}

async function load({ folder, reserveBytes, scan, s3 }: Config['files']): Promise<FileStore> {
  const staging = { folder, reserveBytes, scan }
  if (s3 !== undefined) return (await import('./s3-store.ts')).openS3Store(s3, staging)
  return (await import('./open-disk-store.ts')).openDiskStore(staging)
}
