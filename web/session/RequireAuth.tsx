import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useAuth } from './auth-context.ts'
import { isLandingFragment } from './landing.ts'
import { PATHS, signInPath } from '../paths.ts'
import { useIsIn } from './use-is-in.ts'
import { Spinner } from '../ui/wait/Spinner.tsx'

export function RequireAuth({ children }: { children: ReactNode }) {
  const { session, leftByChoice, endReason } = useAuth()
  const isIn = useIsIn()
  const { pathname, search, hash } = useLocation()
  if (isIn === undefined) {
    return (
      <div className="flex min-h-dvh items-center justify-center">
        <Spinner label="Opening Leadwire" />
      </div>
    )
  }
  if (isIn) return children
  // A link's fragment was meant for the page that it opened, so we drop it.
  const here = pathname + search + (isLandingFragment(hash) ? '' : hash)
  if (session === null && leftByChoice) return <Navigate to={PATHS.home} replace />
  // A session that did not end by a sign-out leads to /auth from every screen (docs/product.md §4).
  return <Navigate to={endReason === null ? signInPath(here) : signInPath(here, PATHS.auth)} replace />
}
