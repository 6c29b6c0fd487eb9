import { Navigate } from 'react-router-dom'
import { useAuth } from '../session/auth-context.ts'
import { HOME_AFTER_SIGN_IN, PATHS } from '../paths.ts'

export function HomeRedirect() {
  const { session, loading } = useAuth()
  if (loading) return null
  return <Navigate to={session === null ? PATHS.auth : HOME_AFTER_SIGN_IN} replace />
}
