import clsx from 'clsx'
import type { Tone } from './tone.ts'

const FILLS: Record<Tone, string> = {
  success: 'bg-success',
  failure: 'bg-failure',
  waiting: 'bg-waiting',
  info: 'bg-accent',
  neutral: 'bg-muted',
}

export interface MeterProps {
  /** What is measured: "Today". */
  label: string
  /** How it stands, in words: "7 of 10". */
  text: string
  value: number
  max: number
  tone?: Tone
}

/** How much of something is used; the words say the same as the bar. */
export function Meter({ label, text, value, max, tone = 'info' }: MeterProps) {
  const share = max === 0 ? 0 : Math.min(1, value / max)
  return (
    <div className="min-w-0">
      <div aria-hidden className="flex items-baseline justify-between gap-2 text-xs">
        <span className="text-muted">{label}</span>
        <span className="font-medium tabular">{text}</span>
      </div>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={text}
        className="mt-1 h-1.5 overflow-hidden rounded-full bg-line"
      >
        <div className={clsx('h-full rounded-full', FILLS[tone])} style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}
