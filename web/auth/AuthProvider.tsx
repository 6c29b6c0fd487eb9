import type { ReactNode } from 'react'
import { InactivityWarning } from '../components/InactivityWarning.tsx'
import { useInactivity } from '../security/use-inactivity.ts'
import { AuthContext } from './auth-context.ts'
import { needsSecondFactor } from './read-token.ts'
import { useCredentials } from './use-credentials.ts'
import { useSession } from './use-session.ts'
import { verifySecondFactor } from './verify-second-factor.ts'

export function AuthProvider({ children }: { children: ReactNode }) {
  const { expire, ...state } = useSession()
  const credentials = useCredentials()
  const { session } = state
  const { left, stay } = useInactivity(session !== null, () => void expire())
  return (
    <AuthContext
      value={{
        ...state,
        ...credentials,
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
