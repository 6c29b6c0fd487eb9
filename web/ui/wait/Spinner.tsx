import clsx from 'clsx'
import { LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { useIsOnline } from '../use-is-online.ts'
import { describeWait } from './describe-wait.ts'
import { useIsSlow } from './use-is-slow.ts'

export interface SpinnerProps {
  /** Announced to screen readers; without it the spinner only decorates a text. */
  label?: string
  className?: string
}

export function Spinner({ label, className }: SpinnerProps) {
  const icon = <LoaderCircle aria-hidden className={clsx('size-4 animate-spin', className)} />
  if (label === undefined) return icon
  return <NamedSpinner label={label} icon={icon} />
}

function NamedSpinner({ label, icon }: { label: string; icon: ReactNode }) {
  const isOnline = useIsOnline()
  const isTold = useIsSlow() || !isOnline
  return (
    <span role="status" className="inline-flex items-center gap-2 text-muted">
      {icon}
      {isTold ? describeWait(label, isOnline) : label}
    </span>
  )
}
