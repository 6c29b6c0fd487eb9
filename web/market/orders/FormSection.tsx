import type { ReactNode } from 'react'

/** A section of the form with a heading that screen readers announce. */
export function FormSection({
  title,
  hint,
  children,
}: {
  title: string
  hint?: ReactNode
  children: ReactNode
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="text-base font-semibold">{title}</legend>
      {hint !== undefined && <p className="text-sm text-muted">{hint}</p>}
      <div className="mt-3">{children}</div>
    </fieldset>
  )
}
