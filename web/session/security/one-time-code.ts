import { z } from 'zod'

/**
 * Six digits, valid for 5 minutes, 3 wrong attempts (docs/product.md §5 and §9). The service has the same
 * rules.
 */
const GOOD_FOR_MS = 5 * 60_000
const MOST_ATTEMPTS = 3

const recordSchema = z.object({ email: z.string(), timestamp: z.number(), attempts: z.number() })

/**
 * The one-time-code record of docs/product.md §3, in session storage. It does not contain the code, which
 * only the service and the mail have.
 */
export type CodeRecord = z.infer<typeof recordSchema>

const keyOf = (email: string) => `otp_${email}`

/** Records that a code was sent. */
export function startCode(email: string, now = Date.now()) {
  sessionStorage.setItem(keyOf(email), JSON.stringify({ email, timestamp: now, attempts: 0 }))
}

export function endCode(email: string) {
  sessionStorage.removeItem(keyOf(email))
}

/** Address of the last code of this browser session; null if none is pending. */
export function findWaitingEmail() {
  const records = Array.from(sessionStorage, (_, at) => sessionStorage.key(at) ?? '')
    .filter((key) => key.startsWith('otp_'))
    .flatMap((key) => read(key) ?? [])
  return records.toSorted((a, b) => b.timestamp - a.timestamp)[0]?.email ?? null
}

/** Returns the reason not to ask the service; null if it can be asked. */
export function refuseCode(email: string, now = Date.now()) {
  const record = read(keyOf(email))
  if (record === null) return 'No OTP found. Please request a new one.'
  if (now - record.timestamp > GOOD_FOR_MS) {
    endCode(email)
    return 'OTP has expired. Please request a new one.'
  }
  if (record.attempts < MOST_ATTEMPTS) return null
  endCode(email)
  return 'Too many failed attempts. Please request a new OTP.'
}

/** Counts a wrong code and returns the message. */
export function countWrongCode(email: string) {
  const record = read(keyOf(email))
  if (record === null) return 'No OTP found. Please request a new one.'
  const attempts = record.attempts + 1
  sessionStorage.setItem(keyOf(email), JSON.stringify({ ...record, attempts }))
  return `Invalid OTP. ${MOST_ATTEMPTS - attempts} attempts remaining.`
}

function read(key: string): CodeRecord | null {
  try {
    return recordSchema.parse(JSON.parse(sessionStorage.getItem(key) ?? ''))
  } catch {
    return null
  }
}
