import clsx from 'clsx'
import type { ReactNode } from 'react'
import { describeWait } from './describe-wait.ts'
import { useIsOnline } from '../use-is-online.ts'
import { useIsSlow } from './use-is-slow.ts'

export interface WaitingProps {
  /** Names what loads, also for screen readers: "Loading the sessions". */
  label?: string
  className?: string
  /** A skeleton in the shape of the content. */
  children: ReactNode
}

/**
 * Wraps a skeleton. After a while, or at once if offline, it says what it waits for, on top of the shapes so
 * that nothing moves.
 */
export function Waiting({ label = 'Loading', className, children }: WaitingProps) {
  const isOnline = useIsOnline()
  // Offline nothing arrives, however long one waits.
  const isTold = useIsSlow() || !isOnline
  return (
    <div className="relative">
      <div role="status" aria-label={label} className={className}>
        {children}
      </div>
      <p
        role="status"
        className={clsx(
          'pointer-events-none absolute inset-x-0 top-3 flex justify-center px-3',
          !isTold && 'sr-only',
        )}
      >
        {isTold && (
          <span className="rounded-lg border border-line bg-raised px-3 py-1.5 text-center text-sm text-muted">
            {describeWait(label, isOnline)}
          </span>
        )}
      </p>
    </div>
  )
}
