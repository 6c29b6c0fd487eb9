import { isAuthSessionMissingError, type AuthError } from '@supabase/auth-js'
import { authClient } from './auth-client.ts'

/** Ends the session here if the service says that it has ended elsewhere. @returns true if it has */
export async function leaveEndedSession(error: AuthError): Promise<boolean> {
  if (!isAuthSessionMissingError(error)) return false
  await authClient.signOut({ scope: 'local' })
  return true
}
