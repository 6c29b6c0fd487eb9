import { useLocation, useNavigate, useRouteError } from 'react-router-dom'
import { Button } from '../../ui/Button.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'

export function AppErrorScreen() {
  const error = useRouteError()
  const navigate = useNavigate()
  const location = useLocation()
  return (
    <ErrorScreen
      level="application"
      error={error}
      title="Application Error"
      text="The application encountered an unexpected error. Please try refreshing the page."
      actions={
        <>
          {/* The router forgets the error when the location changes, even to the same one. */}
          <Button variant="primary" onClick={() => void navigate(location, { replace: true })}>
            Try Again
          </Button>
          <Button onClick={() => window.location.reload()}>Reload App</Button>
        </>
      }
    />
  )
}
