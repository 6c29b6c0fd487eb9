import clsx from 'clsx'
import type { ReactNode } from 'react'
import { TONE_SOFT, type Tone } from './tone.ts'

export interface BadgeProps {
  tone?: Tone
  icon?: ReactNode
  className?: string
  children: ReactNode
}

export function Badge({ tone = 'neutral', icon, className, children }: BadgeProps) {
  return (
    <span
      className={clsx(
        'inline-flex h-5 items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap tabular [&_svg]:size-3',
        'tight:h-auto tight:min-h-5 tight:max-w-full tight:whitespace-normal',
        TONE_SOFT[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  )
}
