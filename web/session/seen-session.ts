const KEY = 'leadwire.seen-session'

/**
 * Id of the session whose start this browser has recorded; null without one. All tabs share it, so that each
 * start is recorded once.
 */
export function readSeenSession() {
  return localStorage.getItem(KEY)
}

export function changeSeenSession(sessionId: string | null) {
  if (sessionId === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, sessionId)
}
