import { isAuthSessionMissingError, type AuthError } from '@supabase/auth-js'
import { authClient } from './auth-client.ts'

/** Where the service says that the session has ended, as from another place, it ends here too. @returns whether it has */
export async function leaveEndedSession(error: AuthError): Promise<boolean> {
  if (!isAuthSessionMissingError(error)) return false
  await authClient.signOut({ scope: 'local' })
  return true
}
