import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Button } from '#web/ui/action/Button.tsx'
import { useIsOnline } from '#web/ui/use-is-online.ts'
import { describeShortWait } from '#web/ui/wait/describe-wait.ts'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { useIsSlow } from '#web/ui/wait/use-is-slow.ts'

export interface FigureProps {
  label: string
  /** undefined until it is known */
  value: string | undefined
  /** path of the list behind the number; undefined if the person may not see it */
  to: string | undefined
  /** the meaning of the number, or an earlier value */
  note?: ReactNode
  /** content beside the number: a coloured word, or a chart */
  aside?: ReactNode
  /** retries the load; given if it failed */
  onRetry?: (() => void) | undefined
}

const VALUE = 'min-w-6 text-lg font-semibold tracking-tight break-words tabular sm:text-xl'

/** One number of the dashboard. It keeps its height while loading and fails without its neighbours. */
export function Figure({ label, value, to, note, aside, onRetry }: FigureProps) {
  return (
    // The rows of its neighbours, so that numbers stand in one line, however long the labels are.
    <section className="row-span-3 grid min-w-0 grid-rows-subgrid content-start gap-y-1 rounded-lg border border-line bg-surface p-3 sm:p-4">
      <h2 className="text-xs font-medium text-muted">{label}</h2>
      {value !== undefined ? (
        <>
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            {to === undefined ? (
              <p className={VALUE}>{value}</p>
            ) : (
              <Link to={to} className={`${VALUE} rounded-sm hover:underline`}>
                {value}
                <span className="sr-only">, {label}</span>
              </Link>
            )}
            {aside}
          </div>
          <div className="text-xs text-muted tabular">{note}</div>
        </>
      ) : onRetry === undefined ? (
        <FigureToCome label={label} />
      ) : (
        <div role="alert" className="row-span-2 flex flex-wrap items-center justify-between gap-2 text-sm">
          <span className="text-failure">Could not be loaded</span>
          <Button size="sm" onClick={onRetry} aria-label={`Try Again: ${label}`}>
            Try Again
          </Button>
        </div>
      )}
    </section>
  )
}

/** In such a small box, the words of a slow load replace the second shape. */
function FigureToCome({ label }: { label: string }) {
  const isSlow = useIsSlow()
  const isOnline = useIsOnline()
  return (
    <div role="status" aria-label={`Loading: ${label}`} className="row-span-2">
      <Skeleton className="mt-1 h-7 w-24" />
      {isSlow ? (
        <p className="mt-1 text-xs text-muted">{describeShortWait(isOnline)}</p>
      ) : (
        <Skeleton className="mt-3 h-3 w-32" />
      )}
    </div>
  )
}
