import { isAuthRetryableFetchError, type AuthError, type Session } from '@supabase/auth-js'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { PATHS } from '../paths.ts'
import { authClient } from './auth-client.ts'
import { AuthContext, type AuthOutcome } from './auth-context.ts'
import { friendlyAuthMessage } from './friendly-message.ts'
import { useLoginLimiter } from './use-login-limiter.ts'

export function AuthProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  const limiter = useLoginLimiter()
  const [session, setSession] = useState<Session | null>(null)
  const [loading, setLoading] = useState(true)
  const [leftByChoice, setLeftByChoice] = useState(false)
  const [linkError, setLinkError] = useState<string | null>(null)

  useEffect(() => {
    authClient.initialize().then(
      ({ error }) => setLinkError(error === null ? null : error.message),
      (error: unknown) => setLinkError(String(error)),
    )
    // Also hears other tabs: auth-js broadcasts every change, so signing out in one signs out all.
    const { data } = authClient.onAuthStateChange((event, next) => {
      setSession(next)
      setLoading(false)
      if (event === 'SIGNED_IN') setLeftByChoice(false)
      if (event === 'SIGNED_OUT') queryClient.clear()
    })
    return () => data.subscription.unsubscribe()
  }, [queryClient])

  function refused(error: AuthError): AuthOutcome {
    // A failed connection says nothing about the person at the keyboard, so it does not count against them.
    if (isAuthRetryableFetchError(error))
      return { result: 'refused', message: friendlyAuthMessage('Network error') }
    limiter.failed()
    return { result: 'refused', message: friendlyAuthMessage(error.message) }
  }

  async function signIn(email: string, password: string): Promise<AuthOutcome> {
    const refusal = limiter.refusal()
    if (refusal !== null) return { result: 'refused', message: refusal }
    const { error } = await authClient.signInWithPassword({ email, password })
    if (error !== null) return refused(error)
    limiter.succeeded()
    return { result: 'signed_in' }
  }

  async function signUp(email: string, password: string): Promise<AuthOutcome> {
    const refusal = limiter.refusal()
    if (refusal !== null) return { result: 'refused', message: refusal }
    // SPEC.md §2: after the mail is confirmed the link leads to /dashboard.
    const emailRedirectTo = location.origin + PATHS.dashboard
    const { data, error } = await authClient.signUp({ email, password, options: { emailRedirectTo } })
    if (error !== null) return refused(error)
    limiter.succeeded()
    return { result: data.session === null ? 'confirmation_sent' : 'signed_in' }
  }

  async function signOut() {
    setLeftByChoice(true)
    const { error } = await authClient.signOut()
    if (error !== null) setLeftByChoice(false)
    return error === null
  }

  const { isRateLimited } = limiter
  const user = session?.user ?? null
  return (
    <AuthContext
      value={{ user, session, loading, isRateLimited, leftByChoice, linkError, signIn, signUp, signOut }}
    >
      {children}
    </AuthContext>
  )
}
