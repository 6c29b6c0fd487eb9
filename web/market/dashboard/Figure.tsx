import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Button } from '#web/ui/action/Button.tsx'
import { useIsOnline } from '#web/ui/use-is-online.ts'
import { describeShortWait } from '#web/ui/wait/describe-wait.ts'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { useIsSlow } from '#web/ui/wait/use-is-slow.ts'

export interface FigureProps {
  label: string
  /** undefined: not known yet */
  value: string | undefined
  /** the list that the number comes from */
  to: string
  /** what the number means, or what it was before */
  note?: ReactNode
  /** beside the number: a word with a colour, or a picture of it */
  aside?: ReactNode
  /** it could not be loaded, and how to try again */
  onRetry?: (() => void) | undefined
}

/** One number of the dashboard. It has its height from the start, and fails without its neighbours. */
export function Figure({ label, value, to, note, aside, onRetry }: FigureProps) {
  return (
    <section className="flex min-h-27 min-w-0 flex-col rounded-lg border border-line bg-surface p-4">
      <h2 className="text-xs font-medium text-muted">{label}</h2>
      {value !== undefined ? (
        <>
          <div className="mt-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <Link
              to={to}
              className="min-w-6 rounded-sm text-xl font-semibold tracking-tight break-words tabular hover:underline"
            >
              {value}
              <span className="sr-only">, {label}</span>
            </Link>
            {aside}
          </div>
          <div className="mt-1 text-xs text-muted tabular">{note}</div>
        </>
      ) : onRetry === undefined ? (
        <FigureToCome label={label} />
      ) : (
        <div role="alert" className="mt-1 flex flex-wrap items-center justify-between gap-2 text-sm">
          <span className="text-failure">Could not be loaded</span>
          <Button size="sm" onClick={onRetry} aria-label={`Try Again: ${label}`}>
            Try Again
          </Button>
        </div>
      )}
    </section>
  )
}

/** In a box this small the words of a slow line take the place of the second shape. */
function FigureToCome({ label }: { label: string }) {
  const isSlow = useIsSlow()
  const isOnline = useIsOnline()
  return (
    <div role="status" aria-label={`Loading: ${label}`}>
      <Skeleton className="mt-2 h-7 w-24" />
      {isSlow ? (
        <p className="mt-1 text-xs text-muted">{describeShortWait(isOnline)}</p>
      ) : (
        <Skeleton className="mt-3 h-3 w-32" />
      )}
    </div>
  )
}
