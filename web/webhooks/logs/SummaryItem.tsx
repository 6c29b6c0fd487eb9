import clsx from 'clsx'
import type { ReactNode } from 'react'

export interface SummaryItemProps {
  label: string
  className?: string
  children: ReactNode
}

/** One fact of a definition list: a small name above its value. */
export function SummaryItem({ label, className, children }: SummaryItemProps) {
  return (
    <div className={clsx('min-w-0', className)}>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="mt-0.5 text-sm">{children}</dd>
    </div>
  )
}
