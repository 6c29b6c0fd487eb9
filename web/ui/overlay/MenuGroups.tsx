import { Check } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { MenuEntry } from './menu/MenuEntry.tsx'

export interface MenuRadioGroupProps<Value extends string> {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  options: readonly { value: Value; label: string; icon?: ReactNode }[]
}

export function MenuRadioGroup<Value extends string>(props: MenuRadioGroupProps<Value>) {
  const { label, value, onValueChange, options } = props
  return (
    <Group label={label}>
      {options.map((option) => (
        <MenuEntry
          key={option.value}
          kind={{ role: 'menuitemradio', 'aria-checked': option.value === value }}
          onChoose={() => onValueChange(option.value)}
          className="[&_svg]:text-muted"
        >
          {option.icon}
          <span className="flex-1">{option.label}</span>
          {option.value === value && <Check aria-hidden className="size-4 text-accent!" />}
        </MenuEntry>
      ))}
    </Group>
  )
}

export interface MenuCheckGroupProps<Value extends string> {
  label: string
  /** the values that are on */
  values: readonly Value[]
  onToggle: (value: Value) => void
  options: readonly { value: Value; label: string }[]
}

/** Checkable items that keep the menu open, so that several can be set. */
export function MenuCheckGroup<Value extends string>(props: MenuCheckGroupProps<Value>) {
  const { label, values, onToggle, options } = props
  return (
    <Group label={label}>
      {options.map((option) => (
        <MenuEntry
          key={option.value}
          kind={{ role: 'menuitemcheckbox', 'aria-checked': values.includes(option.value) }}
          onChoose={() => onToggle(option.value)}
        >
          <span className="flex-1">{option.label}</span>
          {values.includes(option.value) && <Check aria-hidden className="size-4 text-accent" />}
        </MenuEntry>
      ))}
    </Group>
  )
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id}>
      <div id={id} className="px-2 pt-1.5 pb-1 text-xs text-muted">
        {label}
      </div>
      {children}
    </div>
  )
}
