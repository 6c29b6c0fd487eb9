import type { Export } from '#core/contract/exports/export.ts'

/** A worker notes the progress once a second. An export that takes long is asked for less often. */
const PROGRESS_MS = { least: 1000, most: 10_000 }

/** Whether a worker has still to make it. */
export function isOpenExport({ state }: Pick<Export, 'state'>): boolean {
  return state === 'waiting' || state === 'running'
}

/**
 * Milliseconds until the progress is asked for again: a tenth of the time that the newest open export has taken so far.
 * @returns false if none is open
 */
export function nextLook(
  exports: readonly Pick<Export, 'state' | 'created_at'>[],
  now: Date,
): number | false {
  const open = exports.filter(isOpenExport)
  if (open.length === 0) return false
  const newest = Math.max(...open.map(({ created_at }) => Date.parse(created_at)))
  return Math.min(PROGRESS_MS.most, Math.max(PROGRESS_MS.least, (now.getTime() - newest) / 10))
}
