import { blockedUntil } from './credentials/login-limiter.ts'
import { readLimiter } from './credentials/limiter-store.ts'
import { landing } from './landed.ts'
import { serverNow } from './server-clock.ts'

/** Key in local storage under which auth-js keeps the session. */
export const SESSION_KEY = 'leadwire.auth'

/** Decided once, when the page opens: later no form is replaced by a skeleton. */
let wasAwaited: boolean | undefined

/**
 * True if the first screen must wait for auth-js. A signed-out user who followed no link does without it
 * until the first touch, because it is a quarter of the sign-in screen's download.
 */
export function isSessionAwaited(): boolean {
  // Not read when the module loads: a browser that denies storage would then show an empty page without a
  // reason.
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
