import clsx from 'clsx'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { TONE_SOFT, type Tone } from './tone.ts'

const ICONS = {
  success: CircleCheck,
  failure: CircleAlert,
  waiting: TriangleAlert,
  info: Info,
  neutral: Info,
}

export interface BannerProps {
  tone?: Tone
  title?: ReactNode
  action?: ReactNode
  /** Announced at once, for something that has just failed. */
  urgent?: boolean
  children?: ReactNode
}

export function Banner({ tone = 'info', title, action, urgent = false, children }: BannerProps) {
  const Icon = ICONS[tone]
  return (
    <div
      role={urgent ? 'alert' : 'status'}
      className={clsx('flex items-start gap-3 rounded-lg px-4 py-3 tight:gap-2 tight:px-3', TONE_SOFT[tone])}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-44 text-sm break-words">
          {title !== undefined && <p className="font-semibold">{title}</p>}
          {children !== undefined && <div className="text-ink">{children}</div>}
        </div>
        {action}
      </div>
    </div>
  )
}
