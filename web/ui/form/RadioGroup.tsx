import { Radio } from '@base-ui/react/radio'
import { RadioGroup as Base } from '@base-ui/react/radio-group'
import { useId } from 'react'

export interface RadioGroupProps<Value extends string> {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  /** `hint` says what follows from the choice. */
  options: readonly { value: Value; label: string; hint?: string }[]
}

/** A few choices in sight of each other; for more of them, or where there is little room, a Select. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { label, value, onValueChange, options } = props
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <span id={id} className="text-sm font-medium">
        {label}
      </span>
      <Base
        aria-labelledby={id}
        value={value}
        onValueChange={(next) => onValueChange(next)}
        className="overflow-hidden rounded-lg border border-line"
      >
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-h-9 items-center gap-2.5 border-line px-3 py-1.5 text-sm not-first:border-t hover:bg-hover has-data-checked:bg-accent-soft"
          >
            <Radio.Root
              value={option.value}
              className="flex size-4 shrink-0 items-center justify-center rounded-full border border-control bg-surface data-checked:border-accent data-checked:bg-accent"
            >
              <Radio.Indicator className="size-1.5 rounded-full bg-on-accent" />
            </Radio.Root>
            <span className="min-w-0">
              <span className="block">{option.label}</span>
              {option.hint !== undefined && <span className="block text-xs text-muted">{option.hint}</span>}
            </span>
          </label>
        ))}
      </Base>
    </div>
  )
}
