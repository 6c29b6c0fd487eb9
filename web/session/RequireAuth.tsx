import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useAuth } from './auth-context.ts'
import { isLandingFragment } from './landing.ts'
import { PATHS, signInPath } from '../paths.ts'
import { Spinner } from '../ui/wait/Spinner.tsx'

export function RequireAuth({ children }: { children: ReactNode }) {
  const { session, loading, leftByChoice, mfaRequired, passwordReason } = useAuth()
  const { pathname, search, hash } = useLocation()
  if (loading) {
    return (
      <div className="flex min-h-dvh items-center justify-center">
        <Spinner label="Opening Leadwire" />
      </div>
    )
  }
  const isReady = session !== null && !mfaRequired && passwordReason === null
  if (isReady) return children
  // What a link left in the fragment was for the page that it opened.
  const here = pathname + search + (isLandingFragment(hash) ? '' : hash)
  return <Navigate to={session === null && leftByChoice ? PATHS.home : signInPath(here)} replace />
}
