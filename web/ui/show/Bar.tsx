import clsx from 'clsx'
import type { Tone } from './tone.ts'

const FILLS: Record<Tone, string> = {
  success: 'bg-success',
  failure: 'bg-failure',
  waiting: 'bg-waiting',
  info: 'bg-accent',
  neutral: 'bg-muted',
}

export interface BarProps {
  label: string
  /** The value in words, because a bar alone is not readable for everybody. */
  text: string
  value: number
  max: number
}

/** A bar with its text above; Meter and ProgressBar set its role. */
export function Bar({
  label,
  text,
  value,
  max,
  kind,
  tone,
}: BarProps & { kind: 'meter' | 'progressbar'; tone: Tone }) {
  const share = max === 0 ? 0 : Math.min(1, value / max)
  const isSmall = kind === 'meter'
  return (
    <div className="min-w-0">
      <div
        aria-hidden
        className={clsx('flex items-baseline justify-between gap-2', isSmall ? 'text-xs' : 'text-sm')}
      >
        <span className="min-w-0 break-words text-muted">{label}</span>
        <span className="shrink-0 font-medium tabular">{text}</span>
      </div>
      <div
        role={kind}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={text}
        className={clsx('overflow-hidden rounded-full bg-line', isSmall ? 'mt-1 h-1.5' : 'mt-2 h-2')}
      >
        <div className={clsx('h-full rounded-full', FILLS[tone])} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}
