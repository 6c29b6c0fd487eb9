import { createElement, useCallback, useEffect, useState, type ReactNode } from 'react'
import { AuthContext, type AuthState } from './auth-context.ts'
import { createWaitingState, endWaiting } from './create-waiting-state.ts'
import { holdAntiForgeryToken } from './security/anti-forgery.ts'
import { useSessionKeeper } from './use-session-keeper.ts'

/** Provides the session to every screen. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const keeper = useSessionKeeper()
  const [state, setState] = useState(createWaitingState)
  const tell = useCallback((next: AuthState) => {
    setState(next)
    endWaiting(next)
  }, [])
  useEffect(() => void holdAntiForgeryToken(), [])
  return (
    <AuthContext value={state}>
      {children}
      {keeper !== null && createElement(keeper, { onState: tell })}
    </AuthContext>
  )
}
