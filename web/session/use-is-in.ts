import { useAuth } from './auth-context.ts'

/** Whether the app is open for whoever is here: signed in, with nothing left to show or to choose. Undefined until that is known. */
export function useIsIn(): boolean | undefined {
  const { session, loading, mfaRequired, passwordReason } = useAuth()
  if (loading) return undefined
  return session !== null && !mfaRequired && passwordReason === null
}
