import { Menu as Base } from '@base-ui/react/menu'
import clsx from 'clsx'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

export interface MenuProps {
  /** A Button or IconButton; it receives the popup's attributes. */
  trigger: ReactElement
  align?: 'start' | 'end'
  children: ReactNode
}

export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className="z-50 outline-none">
          <Base.Popup className="pop-motion min-w-44 rounded-lg bg-raised p-1 shadow-float outline-none">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

const ITEM =
  'flex h-8 w-full items-center gap-2 rounded-md px-2 text-left text-sm outline-none select-none data-disabled:opacity-50 ' +
  'data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0'

export interface MenuItemProps {
  icon?: ReactNode
  tone?: 'normal' | 'danger'
  disabled?: boolean
  onSelect?: () => void
  children: ReactNode
}

export function MenuItem({ icon, tone = 'normal', disabled = false, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item
      disabled={disabled}
      onClick={onSelect}
      className={clsx(ITEM, tone === 'danger' ? 'text-failure' : 'text-ink [&_svg]:text-muted')}
    >
      {icon}
      {children}
    </Base.Item>
  )
}

export interface MenuRadioGroupProps<Value extends string> {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  options: readonly { value: Value; label: string; icon?: ReactNode }[]
}

export function MenuRadioGroup<Value extends string>(props: MenuRadioGroupProps<Value>) {
  const { label, value, onValueChange, options } = props
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-xs text-muted">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(next: Value) => onValueChange(next)}>
        {options.map((option) => (
          <Base.RadioItem
            key={option.value}
            value={option.value}
            className={clsx(ITEM, '[&_svg]:text-muted')}
          >
            {option.icon}
            <span className="flex-1">{option.label}</span>
            <Base.RadioItemIndicator>
              <Check aria-hidden className="size-4 text-accent!" />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}

export interface MenuCheckGroupProps<Value extends string> {
  label: string
  /** those that are on */
  values: readonly Value[]
  onToggle: (value: Value) => void
  options: readonly { value: Value; label: string }[]
}

/** Switches that leave the menu open, so that several can be set. */
export function MenuCheckGroup<Value extends string>(props: MenuCheckGroupProps<Value>) {
  const { label, values, onToggle, options } = props
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-xs text-muted">{label}</Base.GroupLabel>
      {options.map((option) => (
        <Base.CheckboxItem
          key={option.value}
          checked={values.includes(option.value)}
          onCheckedChange={() => onToggle(option.value)}
          className={ITEM}
        >
          <span className="flex-1">{option.label}</span>
          <Base.CheckboxItemIndicator>
            <Check aria-hidden className="size-4 text-accent" />
          </Base.CheckboxItemIndicator>
        </Base.CheckboxItem>
      ))}
    </Base.Group>
  )
}

export function MenuSeparator() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />
}
