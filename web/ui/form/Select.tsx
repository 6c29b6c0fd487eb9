import { Select as Base } from '@base-ui/react/select'
import clsx from 'clsx'
import { Check, ChevronsUpDown } from 'lucide-react'
import { CONTROL_CLASS } from './control-class.ts'
import { useFieldAttributes, useFieldLabelId } from './field-context.ts'

export interface SelectOption<Value extends string> {
  value: Value
  label: string
}

export interface SelectProps<Value extends string> {
  value: Value
  onValueChange: (value: Value) => void
  options: readonly SelectOption<Value>[]
  disabled?: boolean
  id?: string
  name?: string
  /** Only where no Field around it has a label. */
  'aria-label'?: string
  className?: string
}

/** A Select as it stands there, for a moment in which it cannot be used: of a row that is only scrolled past. */
export function StillSelect({ label, className }: { label: string; className?: string }) {
  return (
    <span className={clsx(CONTROL_CLASS, TRIGGER_CLASS, className)}>
      <span className="truncate">{label}</span>
      <ChevronsUpDown aria-hidden className="size-3.5 text-faint" />
    </span>
  )
}

const TRIGGER_CLASS = 'flex h-9 items-center justify-between gap-2 text-left'

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, onValueChange, options, disabled = false, id, name, className } = props
  const attributes = useFieldAttributes(id)
  const labelId = useFieldLabelId()
  const label = props['aria-label']
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => {
        if (next !== null) onValueChange(next)
      }}
      items={options}
      disabled={disabled}
      {...(name === undefined ? {} : { name })}
    >
      <Base.Trigger
        {...attributes}
        {...(label === undefined ? { 'aria-labelledby': labelId } : { 'aria-label': label })}
        className={clsx(CONTROL_CLASS, TRIGGER_CLASS, className)}
      >
        <Base.Value className="truncate" />
        <Base.Icon className="text-faint">
          <ChevronsUpDown aria-hidden className="size-3.5" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50 outline-none">
          <Base.Popup className="pop-motion max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto rounded-lg bg-raised p-1 shadow-float outline-none">
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                className="flex h-8 items-center gap-2 rounded-md pr-3 pl-2 text-sm outline-none data-highlighted:bg-hover"
              >
                <span className="w-4">
                  <Base.ItemIndicator>
                    <Check aria-hidden className="size-4 text-accent" />
                  </Base.ItemIndicator>
                </span>
                <Base.ItemText>{option.label}</Base.ItemText>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
