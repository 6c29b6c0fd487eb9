import { useLocation, useNavigate, useRouteError } from 'react-router-dom'
import { PATHS } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'

export function SectionErrorScreen() {
  const error = useRouteError()
  const navigate = useNavigate()
  const location = useLocation()
  return (
    <ErrorScreen
      level="section"
      error={error}
      title="Something went wrong"
      text="This section encountered an error. You can try again or continue using other parts of the app."
      actions={
        <>
          {/* The router forgets the error when the location changes, even to the same one. */}
          <Button variant="primary" onClick={() => void navigate(location, { replace: true })}>
            Try Again
          </Button>
          <Button onClick={() => void navigate(PATHS.home)}>Go Home</Button>
        </>
      }
    />
  )
}
