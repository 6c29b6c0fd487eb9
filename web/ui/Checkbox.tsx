import { Checkbox as Base } from '@base-ui/react/checkbox'
import clsx from 'clsx'
import { Check } from 'lucide-react'
import { useId, type ReactNode } from 'react'

export interface CheckboxProps {
  label: ReactNode
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  disabled?: boolean
  className?: string
}

export function Checkbox({ label, checked, onCheckedChange, disabled = false, className }: CheckboxProps) {
  const id = useId()
  return (
    <div className={clsx('flex min-h-6 items-center gap-2', className)}>
      <Base.Root
        id={id}
        checked={checked}
        onCheckedChange={onCheckedChange}
        disabled={disabled}
        aria-labelledby={`${id}-label`}
        className="flex size-4.5 shrink-0 items-center justify-center rounded-sm border border-control bg-surface transition-colors data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50"
      >
        <Base.Indicator>
          <Check aria-hidden className="size-3.5 text-on-accent" />
        </Base.Indicator>
      </Base.Root>
      <label id={`${id}-label`} htmlFor={id} className="text-sm">
        {label}
      </label>
    </div>
  )
}
