import { Button } from '#web/ui/action/Button.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { useTryAgain } from './use-try-again.ts'

export function AppErrorScreen({ error }: { error: unknown }) {
  const tryAgain = useTryAgain(error)
  return (
    <ErrorScreen
      level="application"
      error={error}
      title="Application Error"
      text="The application encountered an unexpected error. Please try refreshing the page."
      actions={
        <>
          <Button variant="primary" onClick={tryAgain}>
            Try Again
          </Button>
          <Button onClick={() => window.location.reload()}>Reload App</Button>
        </>
      }
    />
  )
}
