// Again, after main.tsx: the build may run this module, and the schemas below it, before that one's other imports.
import '../app/configure-zod.ts'
import { AuthClient } from '@supabase/auth-js'
import { PATHS } from '../paths.ts'
import { AUTH_URL } from './auth-url.ts'
import { takeFlow } from './providers/kept-flow.ts'
import { readLanding, withoutLanding } from './landing.ts'
import { watchRetryAfter } from './credentials/retry-after.ts'

/** Where the service sends a browser back to that went to a provider. */
const RETURN_PATHS: readonly string[] = [PATHS.auth, PATHS.settings]

// As the router reads it.
const pathname = location.pathname.replace(/\/+$/, '').toLowerCase()

/** Read before the client is made, which takes the fragment away. */
export const landing = readLanding(location, RETURN_PATHS.includes(pathname), takeFlow)
// The router, too, must never see what the query brought.
if (landing.code !== null || landing.error !== null)
  history.replaceState(history.state, '', location.pathname + withoutLanding(location.search) + location.hash)

/** docs/product.md §9, auth options: auto refresh, session kept in local storage, session detected in the URL, implicit flow. */
export const authClient = new AuthClient({
  url: AUTH_URL,
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
