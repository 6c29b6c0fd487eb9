import { isComposing } from '#web/ui/form/is-composing.ts'
import clsx from 'clsx'
import { X } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { CONTROL_CLASS } from './control-class.ts'
import { useFieldAttributes, useFieldLabelId } from './field-context.ts'
import type { SelectOption } from './Select.tsx'
import { SuggestionList } from './SuggestionList.tsx'

export interface ValuesInputProps {
  values: readonly string[]
  /** the typed text that is not a value yet */
  typed: string
  onChange: (values: readonly string[], typed: string) => void
  /** Parses typed or pasted text into values; by default it is one value. */
  read?: (text: string) => readonly string[]
  /** suggestions while typing or with the arrow keys; any other value can be typed as well */
  offered?: readonly SelectOption<string>[]
  placeholder?: string
}

/**
 * A field for several values. Enter or leaving the field adds the typed text as a value; Backspace removes
 * the last value, and the left arrow moves to the others.
 */
export function ValuesInput({ values, typed, onChange, read = readOne, ...props }: ValuesInputProps) {
  const { offered = [], placeholder } = props
  const id = useId()
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const attributes = useFieldAttributes()
  const labelId = useFieldLabelId()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const wanted = typed.trim().toLowerCase()
  const rank = ({ value, label }: SelectOption<string>) =>
    value.toLowerCase() === wanted ? 0 : label.toLowerCase().startsWith(wanted) ? 1 : 2
  const options = offered
    .filter(
      (one) => !values.includes(one.value) && (rank(one) < 2 || one.label.toLowerCase().includes(wanted)),
    )
    .toSorted((a, b) => rank(a) - rank(b))
  const isShown = isOpen && options.length > 0
  const labelOf = (value: string) => offered.find((option) => option.value === value)?.label ?? value

  const add = (text: string) => {
    setActive(-1)
    onChange([...new Set([...values, ...read(text)])], '')
  }
  const remove = (index: number) => {
    onChange(values.toSpliced(index, 1), typed)
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event.nativeEvent)) return
    const { selectionStart, selectionEnd } = event.currentTarget
    const isAtStart = selectionStart === 0 && selectionEnd === 0
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      const chosen = isShown ? options[active] : undefined
      if (chosen !== undefined || typed.trim() !== '') add(chosen?.value ?? typed)
    } else if (event.key === 'ArrowDown' && options.length > 0) {
      setOpen(true)
      setActive((active + 1) % options.length)
    } else if (event.key === 'ArrowUp' && isShown) setActive(active > 0 ? active - 1 : options.length - 1)
    else if (event.key === 'Escape' && isShown) {
      // The dialog around it stays open.
      event.stopPropagation()
      setOpen(false)
    } else if (event.key === 'Backspace' && isAtStart && values.length > 0) remove(values.length - 1)
    else if (event.key === 'ArrowLeft' && isAtStart && values.length > 0) focusValue(values.length - 1)
    else return
    // Enter must not submit the form.
    event.preventDefault()
  }
  const focusValue = (index: number) => {
    const buttons = box?.querySelectorAll<HTMLElement>('button') ?? []
    ;(buttons[index] ?? input.current)?.focus()
  }

  return (
    <div
      ref={setBox}
      role="presentation"
      className={clsx(
        CONTROL_CLASS,
        'flex min-h-9 flex-wrap items-center gap-1 px-1! py-1 has-focus-visible:border-accent',
        'has-aria-invalid:border-failure has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent',
      )}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) input.current?.focus()
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (currentTarget.contains(relatedTarget)) return
        setOpen(false)
        // If only one suggestion matches the typed text, that one is added.
        if (typed.trim() !== '') add(options.length === 1 ? (options[0]?.value ?? typed) : typed)
      }}
    >
      {values.map((value, index) => (
        <span
          key={value}
          className="flex max-w-full min-w-0 items-center rounded-md bg-sunken pl-2 text-xs leading-4"
        >
          <span className="min-w-0 truncate" title={labelOf(value)}>
            {labelOf(value)}
          </span>
          <button
            type="button"
            // The whole field is one tab stop; the arrow keys move between the values.
            tabIndex={-1}
            aria-label={`Remove ${labelOf(value)}`}
            onClick={() => remove(index)}
            onKeyDown={(event) => {
              if (event.key === 'ArrowLeft') focusValue(Math.max(0, index - 1))
              else if (event.key === 'ArrowRight') focusValue(index + 1)
              else if (event.key === 'Backspace' || event.key === 'Delete') remove(index)
              else return
              event.preventDefault()
            }}
            className="flex size-6 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </span>
      ))}
      <input
        ref={input}
        {...attributes}
        aria-labelledby={labelId}
        role="combobox"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(isShown && active >= 0 ? { 'aria-activedescendant': `${id}-list-${active}` } : {})}
        type="text"
        autoComplete="off"
        spellCheck={false}
        placeholder={values.length === 0 ? placeholder : undefined}
        value={typed}
        onChange={({ target }) => {
          setOpen(target.value.trim() !== '')
          setActive(target.value.trim() === '' ? -1 : 0)
          onChange(values, target.value)
        }}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text')
          if (typed !== '' || read(text).length < 2) return
          event.preventDefault()
          add(text)
        }}
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
        className="h-6 min-w-10 flex-1 bg-transparent px-2 text-sm outline-none placeholder:text-faint"
      />
      {isShown && (
        <SuggestionList
          id={`${id}-list`}
          labelledBy={labelId}
          anchor={box}
          active={active}
          options={options}
          onChoose={add}
        />
      )}
    </div>
  )
}

function readOne(text: string): readonly string[] {
  return text.trim() === '' ? [] : [text.trim()]
}
