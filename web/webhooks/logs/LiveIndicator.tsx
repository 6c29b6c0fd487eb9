import clsx from 'clsx'
import { Button } from '#web/ui/action/Button.tsx'
import type { LiveState } from './use-live-logs.ts'

const REASONS: Partial<Record<LiveState, string>> = {
  offline: 'The rows are as they were when the server last answered.',
  reading: 'Nothing moves while you read further down.',
  past: 'The time you chose is over, so nothing new belongs to it.',
  searching: 'A search may look through the whole log, so it is not repeated by itself.',
}

const WORDS: Record<LiveState, string> = {
  live: 'Live',
  offline: 'Live updates paused',
  reading: 'Paused',
  past: 'Not live',
  searching: 'Not live while searching',
}

export interface LiveIndicatorProps {
  state: LiveState
  onResume: () => void
}

/** Says if the rows on screen are the newest, and leads back to them. */
export function LiveIndicator({ state, onResume }: LiveIndicatorProps) {
  return (
    <div className="flex min-h-8 items-center gap-1 text-xs whitespace-nowrap text-muted tight:flex-wrap">
      <span role="status" title={REASONS[state]} className="flex items-center gap-1.5">
        <span
          aria-hidden
          className={clsx(
            'size-2 rounded-full',
            state === 'live' ? 'bg-success' : state === 'offline' ? 'bg-waiting' : 'bg-line-strong',
          )}
        />
        {WORDS[state]}
      </span>
      {(state === 'reading' || state === 'searching') && (
        <Button variant="quiet" size="sm" className="h-7! px-2! text-xs!" onClick={onResume}>
          Show newest
        </Button>
      )}
    </div>
  )
}
