import { AuthClient } from '@supabase/auth-js'

/** SPEC.md §9, auth options: auto refresh, session kept in local storage, session detected in the URL, implicit flow. */
export const authClient = new AuthClient({
  url: `${location.origin}/auth/v1`,
  storageKey: 'leadwire.auth',
  persistSession: true,
  autoRefreshToken: true,
  detectSessionInUrl: true,
  flowType: 'implicit',
})
