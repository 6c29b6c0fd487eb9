import clsx from 'clsx'
import { Link } from 'react-router-dom'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import type { Tone } from '#web/ui/show/tone.ts'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import type { State } from './say-state.ts'

const DOTS: Record<Tone, string> = {
  success: 'bg-success',
  failure: 'bg-failure',
  waiting: 'bg-waiting',
  info: 'bg-accent',
  neutral: 'bg-muted',
}

export interface StateLineProps {
  /** undefined until it is known */
  state: State | undefined
  /** when the newest lead came */
  newest?: string | undefined
}

/** One sentence, first on the page: what is true now. It keeps its height while it loads. */
export function StateLine({ state, newest }: StateLineProps) {
  return (
    <section
      aria-label="State"
      className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-surface px-4 py-2"
    >
      {state === undefined ? (
        <Skeleton className="h-4 w-64 max-w-full" />
      ) : (
        <>
          <span aria-hidden className={clsx('size-2 shrink-0 rounded-full', DOTS[state.tone])} />
          <p className="min-w-0 flex-1 basis-44 text-sm">
            <strong className="font-semibold">{state.sentence}</strong>{' '}
            <span className="ml-1 text-muted">
              {state.detail}
              {state.namesNewest === true && newest !== undefined && (
                <>
                  , the newest <RelativeTime at={newest} />
                </>
              )}
            </span>
          </p>
          {state.fix !== undefined && (
            <Link
              to={state.fix.to}
              aria-label={`${state.fix.label}: ${state.detail}`}
              className={buttonClass('secondary', 'sm')}
            >
              {state.fix.label}
            </Link>
          )}
        </>
      )}
    </section>
  )
}
