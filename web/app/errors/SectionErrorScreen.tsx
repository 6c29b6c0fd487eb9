import { useNavigate } from 'react-router-dom'
import { PATHS } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { useTryAgain } from './use-try-again.ts'

export function SectionErrorScreen({ error }: { error: unknown }) {
  const tryAgain = useTryAgain(error)
  const navigate = useNavigate()
  return (
    <ErrorScreen
      level="section"
      error={error}
      title="Something went wrong"
      text="This section encountered an error. You can try again or continue using other parts of the app."
      actions={
        <>
          <Button variant="primary" onClick={tryAgain}>
            Try Again
          </Button>
          <Button onClick={() => void navigate(PATHS.home)}>Go Home</Button>
        </>
      }
    />
  )
}
