import { blockedUntil } from './credentials/login-limiter.ts'
import { readLimiter } from './credentials/limiter-store.ts'
import { landing } from './landed.ts'
import { serverNow } from './server-clock.ts'

/** Where the client of the service keeps the session, in local storage. */
export const SESSION_KEY = 'leadwire.auth'

/** When the page was opened: afterwards nobody's form gives way to a skeleton. */
let wasAwaited: boolean | undefined

/**
 * Whether the first screen waits for what the client of the service has to tell. Who is signed out, and was led here by no link,
 * does without the client until he touches the page: it is a quarter of what the sign-in screen would load.
 */
export function isSessionAwaited(): boolean {
  // Not as the module begins: a browser that keeps nothing would show nothing at all, and not even why.
  wasAwaited ??= isLandedOrBlocked() || isSessionKept()
  return wasAwaited || isSessionKept()
}

function isSessionKept() {
  return localStorage.getItem(SESSION_KEY) !== null
}

function isLandedOrBlocked() {
  const { token, code, error, message } = landing
  const isLanded = [token, code, error, message].some((left) => left !== null)
  return isLanded || blockedUntil(readLimiter()) > serverNow()
}
