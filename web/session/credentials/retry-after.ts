import { LIMIT_HEADER, limitSchema, type Limit } from '#core/contract/accounts/account-limit.ts'
import { noteServerTime } from '../server-clock.ts'

/** What a 429 said: how long to wait, and which limit it was; undefined where it does not say. */
interface Wait {
  seconds: number
  limit: Limit | undefined
}
let last: Wait | null = null

/** `fetch` that remembers the server's time, and what the last 429 asked for: auth-js's errors carry no headers. */
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

/** The wait of the last 429 in seconds, once; null where it named none. */
export function takeRetryAfter() {
  return take()?.seconds ?? null
}

/** The same where the limit was one account's or address's; null for those of a whole network, which are not about failed attempts. */
export function takeOwnRetryAfter() {
  const taken = take()
  return taken?.limit === 'failed_attempts' || taken?.limit === 'send_gap' ? taken.seconds : null
}

function take() {
  const taken = last
  last = null
  return taken
}
