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
  /** Called with each new state; its identity must not change. */
  onState: (state: AuthState) => void
}

/** Keeps the session, warns before it expires by inactivity, and reports each new state to the provider. */
export const SessionKeeper = memo(function SessionKeeper({ onState }: SessionKeeperProps) {
  const { expire, ...kept } = useSession()
  const credentials = useCredentials()
  const isReturning = useProviderReturn()
  const { session } = kept
  const queryClient = useQueryClient()
  const left = useInactivity(session !== null, {
    onTimeout: () => void expire(),
    // Any request would do; the account is loaded on every screen of the app.
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
  // The functions of the state read current values when called, so only new values must be reported.
  useLayoutEffect(() => tell(), [session, loading, leftByChoice, endReason, passwordReason, isRateLimited])
  return <InactivityWarning leftMs={left} />
})
