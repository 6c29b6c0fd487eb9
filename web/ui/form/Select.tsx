import clsx from 'clsx'
import { ChevronsUpDown } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { findTyped, useTyping } from '../overlay/layer/use-typing.ts'
import { OFFLINE_REASON_ID, useOfflineReason } from '../action/use-offline-reason.ts'
import { CONTROL_CLASS } from './control-class.ts'
import { useFieldAttributes, useFieldLabelId } from './field-context.ts'
import { SelectList } from './SelectList.tsx'

export interface SelectOption<Value extends string> {
  value: Value
  label: string
}

export interface SelectProps<Value extends string> {
  value: Value
  onValueChange: (value: Value) => void
  options: readonly SelectOption<Value>[]
  disabled?: boolean
  /** True if a choice is saved at once. Offline the list then does not open and says why. */
  asks?: boolean
  id?: string
  /** Only if no Field around it has a label. */
  'aria-label'?: string
  className?: string
}

const TRIGGER_CLASS = 'flex h-9 items-center justify-between gap-2 text-left'

/**
 * A select-only combobox, as in WAI-ARIA's authoring practices: it keeps the focus, and its list has an
 * active option.
 */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, onValueChange, options, disabled = false, asks = false, className } = props
  const reason = useOfflineReason(asks)
  const listId = useId()
  const attributes = useFieldAttributes(props.id)
  const labelId = useFieldLabelId()
  const label = props['aria-label']
  const readTyping = useTyping()
  const chosen = options.findIndex((option) => option.value === value)
  const [opened, setOpened] = useState<{ anchor: HTMLElement; active: number } | null>(null)

  const close = () => setOpened(null)
  const choose = (index: number) => {
    close()
    const option = options[index]
    if (option !== undefined && option.value !== value) onValueChange(option.value)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (reason !== null) return
    const anchor = event.currentTarget
    const from = opened?.active ?? chosen
    const typed = readTyping(event)
    if (typed !== null) {
      event.preventDefault()
      const labels = options.map((option) => option.label)
      setOpened({ anchor, active: findTyped(labels, typed, from) ?? from })
    } else if (opened === null) {
      if (!['ArrowDown', 'ArrowUp', 'Enter', ' '].includes(event.key)) return
      event.preventDefault()
      setOpened({ anchor, active: Math.max(chosen, 0) })
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      choose(opened.active)
    } else if (event.key === 'Tab') choose(opened.active)
    else if (event.key === 'Escape') {
      // Escape closes only the list and not what is around it.
      event.preventDefault()
      event.stopPropagation()
      close()
    } else {
      const active = moveActive(event.key, opened.active, options.length)
      if (active === undefined) return
      event.preventDefault()
      setOpened({ anchor, active })
    }
  }

  return (
    <>
      <button
        {...attributes}
        {...(label === undefined ? { 'aria-labelledby': labelId } : { 'aria-label': label })}
        type="button"
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={opened !== null}
        aria-controls={listId}
        aria-activedescendant={opened === null ? undefined : `${listId}-${opened.active}`}
        disabled={disabled}
        {...(reason === null
          ? {}
          : { 'aria-disabled': true, 'aria-describedby': OFFLINE_REASON_ID, title: reason })}
        onClick={({ currentTarget }) =>
          setOpened(
            opened === null && reason === null
              ? { anchor: currentTarget, active: Math.max(chosen, 0) }
              : null,
          )
        }
        onKeyDown={onKeyDown}
        onBlur={close}
        className={clsx(CONTROL_CLASS, TRIGGER_CLASS, className)}
      >
        <span className="truncate">{options[chosen]?.label}</span>
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint print:hidden" />
      </button>
      {opened !== null && (
        <SelectList
          id={listId}
          anchor={opened.anchor}
          active={opened.active}
          onActive={(active) => setOpened({ ...opened, active })}
          chosen={chosen}
          onChoose={choose}
          onDismiss={close}
          labels={options.map((option) => option.label)}
        />
      )}
    </>
  )
}

function moveActive(key: string, active: number, count: number) {
  const last = count - 1
  if (key === 'ArrowDown') return Math.min(active + 1, last)
  if (key === 'ArrowUp') return Math.max(active - 1, 0)
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'PageDown') return Math.min(active + 10, last)
  if (key === 'PageUp') return Math.max(active - 10, 0)
  return undefined
}
