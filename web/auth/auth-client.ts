import { AuthClient } from '@supabase/auth-js'
import { readLanding } from './landing.ts'
import { watchRetryAfter } from './retry-after.ts'

/** Read before the client is made, which takes the fragment away. */
export const landing = readLanding(location)

/** Where the authentication service lies (AUTH_MOUNT_PATH): the server writes it into the page. */
const mountPath = document.querySelector<HTMLMetaElement>('meta[name="leadwire-auth"]')?.content ?? '/auth/v1'

/** SPEC.md §9, auth options: auto refresh, session kept in local storage, session detected in the URL, implicit flow. */
export const authClient = new AuthClient({
  url: `${location.origin}${mountPath}`,
  storageKey: 'leadwire.auth',
  persistSession: true,
  autoRefreshToken: true,
  detectSessionInUrl: takeLanding,
  flowType: 'implicit',
  fetch: watchRetryAfter,
})

/**
 * Whether the client must read what a link or a provider left; by then it has the parameters, so they go from the address.
 * The client itself only goes to a new one, and the old entry of the history would keep the tokens. A reload must not say an
 * error again, either.
 */
function takeLanding(_url: URL, given: Record<string, string>) {
  if (landing.token !== null || landing.error !== null || landing.message !== null)
    history.replaceState(history.state, '', location.pathname + location.search)
  return ['access_token', 'error', 'error_description', 'error_code'].some((name) => Boolean(given[name]))
}
