import { errorSentence } from '../api/errors.ts'
import { Banner } from '../ui/show/Banner.tsx'
import { Button } from '../ui/action/Button.tsx'

export interface LoadFailureProps {
  /** For example "The leads could not be loaded." */
  title: string
  error: unknown
  onRetry: () => void
}

export function LoadFailure({ title, error, onRetry }: LoadFailureProps) {
  return (
    <Banner
      tone="failure"
      urgent
      title={title}
      action={
        <Button size="sm" onClick={onRetry}>
          Try Again
        </Button>
      }
    >
      {errorSentence(error)}
    </Banner>
  )
}
