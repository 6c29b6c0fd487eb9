import { AuthClient } from '@supabase/auth-js'
import { AUTH_URL } from './auth-url.ts'
import { fetchFromAuth } from './fetch-from-auth.ts'
import { landing } from './landed.ts'
import { SESSION_KEY } from './is-session-awaited.ts'

/**
 * Auth options of docs/product.md §9: auto refresh, session kept in local storage, session detected in the
 * URL, implicit flow.
 */
export const authClient = new AuthClient({
  url: AUTH_URL,
  storageKey: SESSION_KEY,
  persistSession: true,
  autoRefreshToken: true,
  detectSessionInUrl: takeLanding,
  flowType: 'implicit',
  fetch: fetchFromAuth,
})

/**
 * True if the client must read the parameters that a link or a provider left. They are then also removed from
 * the address: the client itself only navigates on, and the old history entry would keep the tokens. A reload
 * must not repeat an error either.
 */
function takeLanding(_url: URL, given: Record<string, string>) {
  if (landing.token !== null || landing.error !== null || landing.message !== null)
    history.replaceState(history.state, '', location.pathname + location.search)
  // The client would compare it with this device's clock; without it, the client uses `expires_in`.
  if ('expires_in' in given) delete given['expires_at']
  return ['access_token', 'error', 'error_description', 'error_code'].some((name) => Boolean(given[name]))
}
