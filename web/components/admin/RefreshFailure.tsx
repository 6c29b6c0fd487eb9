import { CircleSlash } from 'lucide-react'
import { Button } from '../../ui/action/Button.tsx'

/** Shown above rows that could not be refreshed. */
export function RefreshFailure({ isBusy, onRetry }: { isBusy: boolean; onRetry: () => void }) {
  return (
    <p
      role="status"
      className="flex items-center gap-1.5 border-b border-line px-4 py-2 text-xs text-failure"
    >
      <CircleSlash aria-hidden className="size-3.5" />
      This could not be refreshed; it may have changed since.
      <Button size="sm" variant="quiet" className="ml-auto" busy={isBusy} onClick={onRetry}>
        Try again
      </Button>
    </p>
  )
}
