import clsx from 'clsx'
import { LoaderCircle } from 'lucide-react'

export interface SpinnerProps {
  /** Read out to screen readers; without it the spinner is decoration beside a text. */
  label?: string
  className?: string
}

export function Spinner({ label, className }: SpinnerProps) {
  const icon = <LoaderCircle aria-hidden className={clsx('size-4 animate-spin', className)} />
  if (label === undefined) return icon
  return (
    <span role="status" className="inline-flex items-center gap-2 text-muted">
      {icon}
      {label}
    </span>
  )
}
