import clsx from 'clsx'
import { useId, type ReactNode } from 'react'

export interface SwitchProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
  className?: string
}

export function Switch({ label, hint, checked, onCheckedChange, disabled = false, className }: SwitchProps) {
  const id = useId()
  return (
    <div className={clsx('flex items-start justify-between gap-4', className)}>
      <div className="min-w-0">
        <label id={`${id}-label`} htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </p>
        )}
      </div>
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={checked}
        disabled={disabled}
        onClick={() => onCheckedChange(!checked)}
        aria-labelledby={`${id}-label`}
        {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
        className="group relative inline-flex h-6 w-10 shrink-0 items-center rounded-full border border-control bg-sunken transition-colors disabled:opacity-50 aria-checked:border-accent aria-checked:bg-accent"
      >
        <span className="ml-0.5 size-4.5 rounded-full bg-muted transition-transform group-aria-checked:translate-x-4 group-aria-checked:bg-on-accent" />
      </button>
    </div>
  )
}
