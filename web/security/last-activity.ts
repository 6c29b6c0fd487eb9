import { noteActivity } from './session-record.ts'

/** In local storage, so that activity in one tab keeps the others signed in. */
const KEY = 'leadwire.last-activity'

/** Milliseconds since the epoch; null where this browser has seen none. */
export function readLastActivity() {
  const kept = localStorage.getItem(KEY)
  const at = kept === null ? Number.NaN : Number(kept)
  return Number.isFinite(at) ? at : null
}

export function markActivity(now: number) {
  localStorage.setItem(KEY, String(now))
  noteActivity(now)
}

export function forgetActivity() {
  localStorage.removeItem(KEY)
}
