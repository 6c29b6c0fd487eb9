import { UsageError } from '../failures.ts'

/** Flags of `backup` and `restore`. */
export const BACKUP_FLAGS = {
  jobs: { type: 'string', value: 'N', help: 'tables at once, from 1 to 64; 2 if left out' },
  bin: {
    type: 'string',
    value: 'FOLDER',
    help: 'where pg_dump and pg_restore are; they are found on PATH and in the usual places',
  },
} as const

/** @throws UsageError */
export function readJobs(given: string | undefined): number {
  const jobs = given === undefined ? 2 : /^\d{1,2}$/.test(given) ? Number(given) : 0
  if (jobs < 1 || jobs > 64) throw new UsageError('--jobs must be a whole number from 1 to 64')
  return jobs
}

/** A size as people read it. */
export function showBytes(bytes: number): string {
  const mib = bytes / 1024 / 1024
  return mib < 1024 ? `${mib.toFixed(1)} MiB` : `${(mib / 1024).toFixed(1)} GiB`
}

/** The bytes of an archive. */
export function sumBytes(archive: Readonly<Record<string, { bytes: number }>>): number {
  return Object.values(archive).reduce((sum, { bytes }) => sum + bytes, 0)
}
