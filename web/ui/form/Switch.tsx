import { Switch as Base } from '@base-ui/react/switch'
import clsx from 'clsx'
import { useId, type ReactNode } from 'react'

export interface SwitchProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
  name?: string
  className?: string
}

export function Switch({
  label,
  hint,
  checked,
  onCheckedChange,
  disabled = false,
  name,
  className,
}: SwitchProps) {
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
      {/* A real button carries the id, so the label belongs to it alone and not to Base UI's hidden input too. */}
      <Base.Root
        id={id}
        nativeButton
        render={<button type="button" />}
        checked={checked}
        onCheckedChange={onCheckedChange}
        disabled={disabled}
        {...(name === undefined ? {} : { name })}
        aria-labelledby={`${id}-label`}
        {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
        className="relative inline-flex h-6 w-10 shrink-0 items-center rounded-full border border-control bg-sunken transition-colors data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50"
      >
        <Base.Thumb className="ml-0.5 size-4.5 rounded-full bg-muted transition-transform data-checked:translate-x-4 data-checked:bg-on-accent" />
      </Base.Root>
    </div>
  )
}
