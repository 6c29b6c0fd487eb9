import { watchRetryAfter } from './credentials/retry-after.ts'

const REFRESH = 'grant_type=refresh_token'
/** A timeout (RFC 9110 §15.5.9) or a rate limit; neither says anything about the session. */
const PASSING = [408, 429]
/** Seconds to wait after an answer without `Retry-After`: one tick of auth-js's own timer. */
const USUAL_WAIT_SECONDS = 30

/** No refresh is sent before this time, by the device's monotonic clock. */
let mayRefreshAt = 0

/**
 * The `fetch` of auth-js, which trusts this device's clock and takes a refused refresh for the end of the
 * session. So we compute the session's end from `expires_in`, and turn a 408 or 429 into a 503. Auth-js then
 * keeps the session and tries again; until the wait is over nothing is sent.
 */
export const fetchFromAuth: typeof fetch = async (input, init) => {
  const isRefresh = (input instanceof Request ? input.url : String(input)).includes(REFRESH)
  if (isRefresh && performance.now() < mayRefreshAt) return awayForNow()
  const response = await watchRetryAfter(input, init)
  if (isRefresh && PASSING.includes(response.status)) {
    const asked = Number(response.headers.get('retry-after') ?? Number.NaN)
    const seconds = Number.isFinite(asked) && asked > 0 ? asked : USUAL_WAIT_SECONDS
    mayRefreshAt = performance.now() + seconds * 1000
    return awayForNow()
  }
  return response.ok ? await byOwnClock(response) : response
}

function awayForNow() {
  return Response.json({ code: 503, msg: 'The service asked to wait' }, { status: 503 })
}

/** Returns the answer with the session's end by this device's clock. */
async function byOwnClock(response: Response) {
  const text = await response.text()
  const { status, statusText, headers } = response
  // A 204 may not have a body, not even an empty one.
  return new Response(text === '' ? null : retell(text), { status, statusText, headers })
}

function retell(text: string) {
  if (!text.includes('"expires_in"')) return text
  const answer: unknown = JSON.parse(text)
  if (typeof answer !== 'object' || answer === null) return text
  const { expires_in: seconds } = answer as { expires_in?: unknown }
  if (typeof seconds !== 'number') return text
  return JSON.stringify({ ...answer, expires_at: Math.floor(Date.now() / 1000) + seconds })
}
