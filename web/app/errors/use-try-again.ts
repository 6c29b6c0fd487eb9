import { useLocation, useNavigate } from 'react-router-dom'
import { ScreenLoadError } from '../screen-load-error.ts'

export function useTryAgain(error: unknown) {
  const navigate = useNavigate()
  const here = useLocation()
  return () => {
    if (error instanceof ScreenLoadError) location.reload()
    // The boundary forgets the error when the location changes, even to the same one.
    else void navigate(here, { replace: true })
  }
}
