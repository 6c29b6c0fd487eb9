import clsx from 'clsx'
import { exactTime, relativeTime } from './format-time.ts'
import { Tooltip } from '../overlay/Tooltip.tsx'
import { useNow } from '../use-now.ts'

export interface RelativeTimeProps {
  /** ISO 8601. */
  at: string
  /** Shows the exact time instead of the relative one, for log tables. */
  exact?: boolean
  className?: string
}

export function RelativeTime({ at, exact = false, className }: RelativeTimeProps) {
  const now = useNow()
  return (
    <Tooltip content={<OtherTimes at={at} exact={exact} />}>
      <time dateTime={at} className={clsx('rounded-sm whitespace-nowrap tabular', className)} tabIndex={0}>
        {exact ? exactTime(at) : relativeTime(at, now)}
      </time>
    </Tooltip>
  )
}

/** Rendered only when it is opened, because a list has hundreds of times. */
function OtherTimes({ at, exact }: { at: string; exact: boolean }) {
  const now = useNow()
  return (
    <span className="block tabular">
      {exact ? relativeTime(at, now) : exactTime(at)}
      <br />
      {new Date(at).toISOString().replace('T', ' ').replace('Z', ' UTC')}
    </span>
  )
}
