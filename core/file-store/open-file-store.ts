import type { Config } from '../config/config.ts'
import { openDiskStore } from './open-disk-store.ts'
import type { FileStore } from './file-store.ts'

/** Opens the store of files that the configuration names. It holds nothing open between calls. */
export function openFileStore({ files }: Pick<Config, 'files'>): FileStore {
  const { folder, reserveBytes, scan, s3 } = files
  const staging = { folder, reserveBytes, scan }
  if (s3 === undefined) return openDiskStore(staging)
  return openLater(async () => (await import('./s3-store.ts')).openS3Store(s3, staging))
}

/** Few installations keep their files elsewhere, so that code is loaded with the first call. */
function openLater(open: () => Promise<FileStore>): FileStore {
  let opening: Promise<FileStore> | undefined
  const opened = (): Promise<FileStore> => (opening ??= open())
  return {
    write: async (...given) => await (await opened()).write(...given),
    read: async (...given) => await (await opened()).read(...given),
    remove: async (...given) => await (await opened()).remove(...given),
    removeUnfinished: async (...given) => await (await opened()).removeUnfinished(...given),
  }
}
