import type { Session, User } from '@supabase/auth-js'
import { createContext, useContext } from 'react'

/** What came of a try to sign in or up; `message` is already one of SPEC.md §8. */
export type AuthOutcome =
  { result: 'signed_in' } | { result: 'confirmation_sent' } | { result: 'refused'; message: string }

export interface AuthState {
  user: User | null
  session: Session | null
  /** Until the kept session has been read, and refreshed where it was old. */
  loading: boolean
  isRateLimited: boolean
  /** The person signed out by hand, so there is no screen to come back to. */
  leftByChoice: boolean
  /** Why the link of a mail did not sign in; null when there was none. */
  linkError: string | null
  signIn: (email: string, password: string) => Promise<AuthOutcome>
  signUp: (email: string, password: string) => Promise<AuthOutcome>
  /** Whether the service ended the session. */
  signOut: () => Promise<boolean>
}

export const AuthContext = createContext<AuthState | null>(null)

export function useAuth(): AuthState {
  const state = useContext(AuthContext)
  if (state === null) throw new Error('useAuth needs an AuthProvider around it')
  return state
}
