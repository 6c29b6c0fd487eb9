import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useAuth } from '../auth/auth-context.ts'
import { PATHS, signInPath } from '../paths.ts'
import { Spinner } from '../ui/Spinner.tsx'

export function RequireAuth({ children }: { children: ReactNode }) {
  const { session, loading, leftByChoice } = useAuth()
  const { pathname, search, hash } = useLocation()
  if (loading) {
    return (
      <div className="flex min-h-dvh items-center justify-center">
        <Spinner label="Opening Leadwire" />
      </div>
    )
  }
  if (session !== null) return children
  return <Navigate to={leftByChoice ? PATHS.home : signInPath(pathname + search + hash)} replace />
}
