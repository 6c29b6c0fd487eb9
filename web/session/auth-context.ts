import type { Session, User } from '@supabase/auth-js'
import { createContext, useContext } from 'react'

/** A refusal; `message` is already one of docs/product.md §5 or §8. */
export interface Refusal {
  result: 'refused'
  message: string
  /** The account is there, and its address waits to be confirmed. */
  unconfirmed?: true
  /** When it may be tried again, by the server's clock; the message is then of this moment. */
  blockedUntil?: number
}

/** What came of a try to sign in or up. */
export type AuthOutcome =
  | { result: 'signed_in' }
  | { result: 'confirmation_sent' }
  /** the account is ready, and its owner has to sign in */
  | { result: 'created' }
  | Refusal

/** Why a password must be chosen before anything else: the link of a recovery or of an invitation led here. */
export type PasswordReason = 'recovery' | 'invite'

export interface AuthState {
  user: User | null
  session: Session | null
  /** Until the kept session has been read, and refreshed where it was old. */
  loading: boolean
  isRateLimited: boolean
  /** The account has a second factor that this session has not shown yet. */
  mfaRequired: boolean
  /** The person signed out by hand, so there is no screen to come back to. */
  leftByChoice: boolean
  /** Why the session ended without the person's doing; null when it did not. */
  endReason: string | null
  passwordReason: PasswordReason | null
  signIn: (email: string, password: string, captchaToken?: string) => Promise<AuthOutcome>
  signUp: (email: string, password: string, captchaToken?: string) => Promise<AuthOutcome>
  /** Shows the second factor, by the first verified factor unless another is named. */
  verifyMFA: (code: string, factorId?: string, challengeId?: string) => Promise<AuthOutcome>
  /** Ends what `passwordReason` asks for. */
  passwordChosen: () => void
  /** Ends the session, and says what came of it. */
  signOut: () => Promise<void>
}

export const AuthContext = createContext<AuthState | null>(null)

export function useAuth(): AuthState {
  const state = useContext(AuthContext)
  if (state === null) throw new Error('useAuth needs an AuthProvider around it')
  return state
}
