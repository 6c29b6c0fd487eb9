import { useQueryClient } from '@tanstack/react-query'
import { memo, useEffectEvent, useLayoutEffect } from 'react'
import { ME_KEY } from '../api/me-key.ts'
import { InactivityWarning } from './InactivityWarning.tsx'
import type { AuthState } from './auth-context.ts'
import { useCredentials } from './credentials/use-credentials.ts'
import { verifySecondFactor } from './credentials/verify-second-factor.ts'
import { useProviderReturn } from './providers/use-provider-return.ts'
import { needsSecondFactor } from './read-token.ts'
import { useInactivity } from './security/use-inactivity.ts'
import { useSession } from './use-session.ts'

export interface SessionKeeperProps {
  /** Called with each new state; must stay the same function. */
  onState: (state: AuthState) => void
}

/** Keeps the session, and warns before it rests; whatever changes, the provider above all screens is told. */
export const SessionKeeper = memo(function SessionKeeper({ onState }: SessionKeeperProps) {
  const { expire, ...kept } = useSession()
  const credentials = useCredentials()
  const isReturning = useProviderReturn()
  const { session } = kept
  const queryClient = useQueryClient()
  const left = useInactivity(session !== null, {
    onTimeout: () => void expire(),
    // Any request would do; the account's is shown on every screen of the app.
    onActive: () => void queryClient.invalidateQueries({ queryKey: ME_KEY, exact: true }),
  })
  const state: AuthState = {
    ...kept,
    ...credentials,
    loading: kept.loading || isReturning,
    user: session?.user ?? null,
    mfaRequired: needsSecondFactor(session),
    verifyMFA: verifySecondFactor,
  }
  const { loading, leftByChoice, endReason, passwordReason, isRateLimited } = state
  const tell = useEffectEvent(() => onState(state))
  // Its functions read what they need when they are called, so that only new values are news.
  useLayoutEffect(() => tell(), [session, loading, leftByChoice, endReason, passwordReason, isRateLimited])
  return <InactivityWarning leftMs={left} />
})
