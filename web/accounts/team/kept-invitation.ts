const KEY = 'leadwire.invitation'

/**
 * Returns the invitation's token: from the address, which then no longer shows it, or as this tab has kept it during a
 * sign-in.
 */
export function takeInvitation(): string | null {
  const token = new URLSearchParams(location.hash.replace(/^#/, '')).get('token')
  if (token === null || token === '') return sessionStorage.getItem(KEY)
  sessionStorage.setItem(KEY, token)
  history.replaceState(history.state, '', location.pathname + location.search)
  return token
}

export function dropInvitation() {
  sessionStorage.removeItem(KEY)
}
