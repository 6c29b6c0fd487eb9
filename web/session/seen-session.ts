const KEY = 'leadwire.seen-session'

/** The session that this browser has noted as begun; null where none is. All tabs share it, so that each is noted once. */
export function readSeenSession() {
  return localStorage.getItem(KEY)
}

export function changeSeenSession(sessionId: string | null) {
  if (sessionId === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, sessionId)
}
