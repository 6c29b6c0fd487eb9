import clsx from 'clsx'
import type { FormStatus } from './form-status.ts'

/** Says what the form's order costs at most, and how many leads it could have had. */
export function OrderEstimate({
  status: { cost, matched },
  className,
}: {
  status: Pick<FormStatus, 'cost' | 'matched'>
  className?: string
}) {
  return (
    <div role="status" className={clsx('min-w-0 text-sm tabular empty:hidden', className)}>
      {cost !== '' && <p className="font-medium">{cost}</p>}
      {matched !== '' && <p className="text-muted">{matched}</p>}
    </div>
  )
}
