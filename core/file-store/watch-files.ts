import type { Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { Db } from '../data/database.ts'
import { sumContents } from '../data/files/file-contents.ts'
import { watchReading } from '../telemetry/watch-reading.ts'
import { readFreeBytes } from './disk-space.ts'

const FREE_KEPT_MS = 3000
/** The sum reads a row for each stored content. */
const STORED_KEPT_MS = 60_000

/** Gauges of the space for files: what is free on this machine's disk, and what is stored by all. */
export function watchFiles(
  registry: Registry,
  { config, db }: { config: Pick<Config, 'dataDir' | 'files'>; db: Db },
): void {
  const disk = watchReading(registry, {
    keptMs: FREE_KEPT_MS,
    // The folder of files is made with the first one.
    read: async () => ({
      reserve: config.files.reserveBytes,
      free: await readFreeBytes(config.files.folder).catch(() => readFreeBytes(config.dataDir)),
    }),
  })
  disk.gauge(
    'leadwire_files_free_bytes',
    'Bytes free on the disk of DATA_DIR; below FILES_RESERVE_MB uploads are refused',
    ({ free }) => free,
  )
  disk.gauge('leadwire_files_reserve_bytes', 'FILES_RESERVE_MB, in bytes', ({ reserve }) => reserve)
  const store = watchReading(registry, {
    keptMs: STORED_KEPT_MS,
    read: async () => ({ bytes: await sumContents(db) }),
  })
  store.gauge(
    'leadwire_files_stored_bytes',
    'Bytes of all stored files; equal ones count once',
    ({ bytes }) => bytes,
  )
}
