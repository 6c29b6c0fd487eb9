import type { Session, User } from '@supabase/auth-js'
import { createContext, useContext } from 'react'

/** A refusal; `message` is a sentence of docs/product.md §5 or §8. */
export interface Refusal {
  result: 'refused'
  message: string
  /** Set if the account exists but its address is not confirmed. */
  unconfirmed?: true
  /** End of the block by the server's clock; the message is then current only now. */
  blockedUntil?: number
}

/** Result of a try to sign in or up. */
export type AuthOutcome =
  | { result: 'signed_in' }
  | { result: 'confirmation_sent' }
  /** the account exists, and its owner has to sign in */
  | { result: 'created' }
  | Refusal

/** The kind of link after which a password must be chosen first: recovery or invitation. */
export type PasswordReason = 'recovery' | 'invite'

export interface AuthState {
  user: User | null
  session: Session | null
  /** True until the stored session has been read, and refreshed if it was old. */
  loading: boolean
  isRateLimited: boolean
  /** True if the account has a second factor that this session has not verified. */
  mfaRequired: boolean
  /** True after a sign-out by hand, so that no screen is remembered. */
  leftByChoice: boolean
  /** The reason why the session ended by itself; otherwise null. */
  endReason: string | null
  passwordReason: PasswordReason | null
  signIn: (email: string, password: string, captchaToken?: string) => Promise<AuthOutcome>
  signUp: (email: string, password: string, captchaToken?: string) => Promise<AuthOutcome>
  /** Verifies the second factor, by default the first verified one. */
  verifyMFA: (code: string, factorId?: string, challengeId?: string) => Promise<AuthOutcome>
  /** Marks the password that `passwordReason` asks for as chosen. */
  passwordChosen: () => void
  /** Signs out and shows the result. */
  signOut: () => Promise<void>
}

export const AuthContext = createContext<AuthState | null>(null)

export function useAuth(): AuthState {
  const state = useContext(AuthContext)
  if (state === null) throw new Error('useAuth needs an AuthProvider around it')
  return state
}
