import type { ReactNode } from 'react'

/** A control of a form and its label. */
export function Labelled({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={`contact-${id}`} className="text-sm font-medium">
        {label}
      </label>
      {children}
    </div>
  )
}
