import { useId } from 'react'

export interface RadioGroupProps<Value extends string> {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  /** `hint` says what the choice leads to. */
  options: readonly { value: Value; label: string; hint?: string }[]
}

/** Shows a few options at once; for many options or little room use a Select. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { label, value, onValueChange, options } = props
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <span id={id} className="text-sm font-medium">
        {label}
      </span>
      <div role="radiogroup" aria-labelledby={id} className="overflow-hidden rounded-lg border border-line">
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-h-9 items-center gap-2.5 border-line px-3 py-1.5 text-sm not-first:border-t hover:bg-hover has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
              className="size-4 shrink-0 appearance-none rounded-full border border-control bg-surface checked:border-[0.3125rem] checked:border-accent checked:bg-on-accent"
            />
            <span className="min-w-0">
              <span className="block">{option.label}</span>
              {option.hint !== undefined && <span className="block text-xs text-muted">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </div>
  )
}
