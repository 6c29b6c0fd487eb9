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
  /** Without its tooltip, for a moment: of a row that is only scrolled past. */
  still?: boolean
}

export function RelativeTime({ at, exact = false, className, still = false }: RelativeTimeProps) {
  const now = useNow()
  const time = (
    <time dateTime={at} className={clsx('rounded-sm whitespace-nowrap tabular', className)} tabIndex={0}>
      {exact ? exactTime(at) : relativeTime(at, now)}
    </time>
  )
  if (still) return time
  return (
    <Tooltip
      content={
        <span className="block tabular">
          {exact ? relativeTime(at, now) : exactTime(at)}
          <br />
          {new Date(at).toISOString().replace('T', ' ').replace('Z', ' UTC')}
        </span>
      }
    >
      {time}
    </Tooltip>
  )
}
