import { noteActivity } from './session-record.ts'

/** In local storage, so that activity in one tab keeps the others signed in. */
const KEY = 'leadwire.last-activity'
/** Set by the tab that ends an inactive session, so that the others know the reason. */
const RESTED_KEY = 'leadwire.rested'

/** Milliseconds since the epoch; null without any activity in this browser. */
export function readLastActivity() {
  const kept = localStorage.getItem(KEY)
  const at = kept === null ? Number.NaN : Number(kept)
  return Number.isFinite(at) ? at : null
}

export function markActivity(now: number) {
  localStorage.setItem(KEY, String(now))
  localStorage.removeItem(RESTED_KEY)
  noteActivity(now)
}

export function markRested() {
  localStorage.setItem(RESTED_KEY, 'true')
}

export function hasRested() {
  return localStorage.getItem(RESTED_KEY) !== null
}

export function forgetActivity() {
  localStorage.removeItem(KEY)
}
