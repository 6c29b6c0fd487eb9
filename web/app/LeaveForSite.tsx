import { useEffect, type ReactNode } from 'react'
import { Navigate } from 'react-router-dom'
import { SITE_PATHS } from '#core/contract/paths.ts'
import { useAuth } from '../session/auth-context.ts'
import { HOME_AFTER_SIGN_IN, PATHS } from '../paths.ts'
import { keepNotice } from './kept-notice.ts'

/** The path with which the app was opened. */
const OPENED_AT = location.pathname

/** Leaves the app for the public site, whose pages the browser must fetch (server/http/web/serve-site.ts). */
export function LeaveForSite({ missing }: { missing: ReactNode }) {
  const { session, loading, leftByChoice } = useAuth()
  // The development server sends the app in place of such a page; a reload would then never end.
  const isThere = location.pathname !== OPENED_AT
  useEffect(() => {
    if (!isThere) return
    if (leftByChoice) keepNotice('Signed out successfully')
    location.reload()
  }, [isThere, leftByChoice])
  if (isThere || loading) return null
  if (location.pathname !== SITE_PATHS.home) return missing
  return <Navigate to={session === null ? PATHS.auth : HOME_AFTER_SIGN_IN} replace />
}
