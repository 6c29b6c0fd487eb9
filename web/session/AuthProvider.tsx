import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ME_KEY } from '../api/me-key.ts'
import { InactivityWarning } from './InactivityWarning.tsx'
import { useInactivity } from './security/use-inactivity.ts'
import { AuthContext } from './auth-context.ts'
import { needsSecondFactor } from './read-token.ts'
import { useCredentials } from './credentials/use-credentials.ts'
import { useProviderReturn } from './providers/use-provider-return.ts'
import { useSession } from './use-session.ts'
import { verifySecondFactor } from './credentials/verify-second-factor.ts'

export function AuthProvider({ children }: { children: ReactNode }) {
  const { expire, ...state } = useSession()
  const credentials = useCredentials()
  const isReturning = useProviderReturn()
  const { session } = state
  const queryClient = useQueryClient()
  const { left, stay } = useInactivity(session !== null, {
    onTimeout: () => void expire(),
    // Any request would do; the account's is shown on every screen of the app.
    onActive: () => void queryClient.invalidateQueries({ queryKey: ME_KEY, exact: true }),
  })
  return (
    <AuthContext
      value={{
        ...state,
        ...credentials,
        loading: state.loading || isReturning,
        user: session?.user ?? null,
        mfaRequired: needsSecondFactor(session),
        verifyMFA: verifySecondFactor,
      }}
    >
      {children}
      <InactivityWarning leftMs={left} onStay={stay} onLeave={() => void state.signOut()} />
    </AuthContext>
  )
}
