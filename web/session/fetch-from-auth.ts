import { watchRetryAfter } from './credentials/retry-after.ts'

const REFRESH = 'grant_type=refresh_token'
/** Too slow (a bad line, RFC 9110 §15.5.9) or too often: neither says anything of the session. */
const PASSING = [408, 429]
/** Seconds to wait after one without `Retry-After`: one tick of the client's own timer. */
const USUAL_WAIT_SECONDS = 30

/** No refresh goes out before then, by this device's steady clock. */
let mayRefreshAt = 0

/**
 * `fetch` for the authentication service's client. That client goes by this device's clock and takes a refused refresh for the end of the
 * session. So a session's end is told in seconds from now, whatever the clock shows, and a 408 or 429 is turned into the answer of a service
 * that is briefly away: the client keeps the session and asks again, and until then nothing is sent.
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

/** The same answer, with the end of a session as this device will see it. */
async function byOwnClock(response: Response) {
  const text = await response.text()
  const { status, statusText, headers } = response
  // A body is told by its status: one of 204 may not even be empty text.
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
