import { useEffect, type ReactNode } from 'react'
import { Navigate } from 'react-router-dom'
import { SITE_PATHS } from '#core/contract/paths.ts'
import { useAuth } from '../session/auth-context.ts'
import { HOME_AFTER_SIGN_IN, PATHS } from '../paths.ts'
import { keepNotice } from './kept-notice.ts'

/** The path that the app itself was sent for. */
const OPENED_AT = location.pathname

/** The public site is made of pages of its own, which the browser must fetch (server/http/web/serve-site.ts). */
export function LeaveForSite({ missing }: { missing: ReactNode }) {
  const { session, loading, leftByChoice } = useAuth()
  // Where the server sent the app in place of such a page, as the development server does, asking again would never end.
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
