import { AuthClient } from '@supabase/auth-js'
import { AUTH_URL } from './auth-url.ts'
import { fetchFromAuth } from './fetch-from-auth.ts'
import { landing } from './landed.ts'
import { SESSION_KEY } from './is-session-awaited.ts'

/** docs/product.md §9, auth options: auto refresh, session kept in local storage, session detected in the URL, implicit flow. */
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
 * Whether the client must read what a link or a provider left; by then it has the parameters, so they go from the address.
 * The client itself only goes to a new one, and the old entry of the history would keep the tokens. A reload must not say an
 * error again, either.
 */
function takeLanding(_url: URL, given: Record<string, string>) {
  if (landing.token !== null || landing.error !== null || landing.message !== null)
    history.replaceState(history.state, '', location.pathname + location.search)
  // The client would hold it against this device's clock; without it, it counts from now.
  if ('expires_in' in given) delete given['expires_at']
  return ['access_token', 'error', 'error_description', 'error_code'].some((name) => Boolean(given[name]))
}
