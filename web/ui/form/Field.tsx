import clsx from 'clsx'
import { CircleAlert } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { FieldContext } from './field-context.ts'

export interface FieldProps {
  label: ReactNode
  /** Shows the label to screen readers only, if a neighbour already says it. */
  labelHidden?: boolean
  hint?: ReactNode
  /** The unmet rules, one per line; if given, the control is marked as invalid. */
  error?: ReactNode
  required?: boolean
  /** Shown at the right end of the label's line, for example a counter or a link. */
  aside?: ReactNode
  className?: string
  children: ReactNode
}

export function Field({
  label,
  labelHidden,
  hint,
  error,
  required = false,
  aside,
  className,
  children,
}: FieldProps) {
  const id = useId()
  const hasError = error !== undefined && error !== null && error !== false && error !== ''
  const described = [hint !== undefined && `${id}-hint`, hasError && `${id}-error`].filter(Boolean).join(' ')
  const wiring = {
    controlId: `${id}-control`,
    labelId: `${id}-label`,
    describedBy: described === '' ? undefined : described,
    invalid: hasError,
    required,
  }
  return (
    <div className={clsx('flex min-w-0 flex-col gap-1.5', className)}>
      <div className={clsx('flex items-baseline justify-between gap-2', labelHidden && 'sr-only')}>
        <label id={wiring.labelId} htmlFor={wiring.controlId} className="text-sm font-medium">
          {label}
          {required && (
            <span aria-hidden className="ml-0.5 text-faint">
              *
            </span>
          )}
        </label>
        {aside}
      </div>
      <FieldContext value={wiring}>{children}</FieldContext>
      {hint !== undefined && (
        <div id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </div>
      )}
      {hasError && (
        <p id={`${id}-error`} role="alert" className="flex items-start gap-1.5 text-xs text-failure">
          <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
          <span className="whitespace-pre-line">{error}</span>
        </p>
      )}
    </div>
  )
}
