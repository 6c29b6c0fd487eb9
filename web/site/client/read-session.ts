/** The signed-in user, as the app has stored it (web/session/auth-client.ts). */
export interface KeptSession {
  email: string
  /** undefined if it has expired; the app renews it */
  token: string | undefined
}

/** Returns undefined if nobody is signed in or the stored session cannot be read. */
export function readSession(): KeptSession | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem('leadwire.auth') ?? '') as Record<string, unknown>
    const { access_token: token, expires_at: until, user } = kept
    const isGood = typeof token === 'string' && typeof until === 'number' && until * 1000 > Date.now()
    const email = typeof user === 'object' && user !== null && 'email' in user ? user.email : undefined
    return { email: typeof email === 'string' ? email : '', token: isGood ? token : undefined }
  } catch {
    return undefined
  }
}
