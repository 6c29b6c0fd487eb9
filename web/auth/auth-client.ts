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
  detectSessionInUrl: true,
  flowType: 'implicit',
  fetch: watchRetryAfter,
})

if (landing.error !== null || landing.message !== null) {
  // Once the client has read it, too: a reload must not say it again.
  void authClient
    .initialize()
    .then(() => history.replaceState(history.state, '', location.pathname + location.search))
}
