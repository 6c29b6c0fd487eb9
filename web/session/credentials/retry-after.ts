import { LIMIT_HEADER, limitSchema, type Limit } from '#core/contract/accounts/account-limit.ts'
import { noteServerTime } from '../server-clock.ts'

/** The wait that a 429 asked for, and the limit that was met; undefined if the answer does not say. */
interface Wait {
  seconds: number
  limit: Limit | undefined
}
let last: Wait | null = null

/**
 * A `fetch` that remembers the server's time and the wait of the last 429, because the errors of auth-js
 * carry no headers.
 */
export const watchRetryAfter: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  noteServerTime(response)
  if (response.status === 429) {
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    const limit = limitSchema.safeParse(response.headers.get(LIMIT_HEADER)).data
    last = Number.isFinite(seconds) && seconds > 0 ? { seconds, limit } : null
  }
  return response
}

/** Returns the wait of the last 429 in seconds, once; null if it gave none. */
export function takeRetryAfter() {
  return take()?.seconds ?? null
}

/**
 * Like takeRetryAfter, but only for a limit of one account or address. It returns null for a limit of a whole
 * network, which says nothing about failed attempts.
 */
export function takeOwnRetryAfter() {
  const taken = take()
  return taken?.limit === 'failed_attempts' || taken?.limit === 'send_gap' ? taken.seconds : null
}

function take() {
  const taken = last
  last = null
  return taken
}
