import { z } from 'zod'
import { fingerprintDevice } from './fingerprint-device.ts'

const KEY = 'session_security'

const recordSchema = z.object({
  userId: z.string(),
  loginTime: z.number(),
  lastActivity: z.number(),
  sessionId: z.string(),
  userAgent: z.string(),
  fingerprint: z.string(),
})

/**
 * The session-security record of docs/product.md §3: one per tab, in session storage. Times are milliseconds
 * since the epoch.
 */
export type SessionRecord = z.infer<typeof recordSchema>

const USER_AGENT_LENGTH = 100

export function startSessionRecord(userId: string, sessionId: string, now: number) {
  const kept = readSessionRecord()
  if (kept?.userId === userId && kept.sessionId === sessionId) return
  write({
    userId,
    loginTime: now,
    lastActivity: now,
    sessionId,
    userAgent: navigator.userAgent.slice(0, USER_AGENT_LENGTH),
    fingerprint: fingerprintDevice(),
  })
}

export function readSessionRecord(): SessionRecord | null {
  try {
    return recordSchema.parse(JSON.parse(sessionStorage.getItem(KEY) ?? ''))
  } catch {
    return null
  }
}

export function noteActivity(now: number) {
  const record = readSessionRecord()
  if (record !== null) write({ ...record, lastActivity: now })
}

export function endSessionRecord() {
  sessionStorage.removeItem(KEY)
}

function write(record: SessionRecord) {
  sessionStorage.setItem(KEY, JSON.stringify(record))
}
