import type { Config } from '../config/config.ts'
import { openDiskStore } from './open-disk-store.ts'
import type { FileStore } from './file-store.ts'
import { openS3Store } from './s3-store.ts'

/** Opens the store of files that the configuration names. It holds nothing open between calls. */
export function openFileStore({ files }: Pick<Config, 'files'>): FileStore {
  const { folder, reserveBytes, scan, s3 } = files
  const staging = { folder, reserveBytes, scan }
  return s3 === undefined ? openDiskStore(staging) : openS3Store(s3, staging)
}
