import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/action/CopyButton.tsx'

export interface Fact {
  label: string
  value: ReactNode
  /** Text of the copy button. */
  copy?: string | null
}

/** Lists labels and values, one per line; entries without a value are left out. */
export function Facts({ facts, none }: { facts: readonly Fact[]; none: string }) {
  const known = facts.filter(({ value }) => value !== null && value !== undefined && value !== '')
  if (known.length === 0) return <p className="text-sm text-muted">{none}</p>
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 tight:grid-cols-1 sm:grid-cols-[7.5rem_minmax(0,1fr)]">
      {known.map(({ label, value, copy }) => (
        <div key={label} className="col-span-2 grid min-h-8 grid-cols-subgrid items-start tight:col-span-1">
          <dt className="py-1.5 text-muted">{label}</dt>
          <dd className="flex min-w-0 items-start gap-1">
            <span className="min-w-0 py-1.5 break-words whitespace-pre-line">{value}</span>
            {typeof copy === 'string' && <CopyButton value={copy} label={`Copy ${label.toLowerCase()}`} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}
