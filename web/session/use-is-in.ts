import { useAuth } from './auth-context.ts'

/**
 * True if the user may use the app: signed in, with no second factor or password left to ask for. Undefined
 * until known.
 */
export function useIsIn(): boolean | undefined {
  const { session, loading, mfaRequired, passwordReason } = useAuth()
  if (loading) return undefined
  return session !== null && !mfaRequired && passwordReason === null
}
