import { X } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { IconButton } from '#web/ui/action/IconButton.tsx'
import type { SelectOption } from '#web/ui/form/Select.tsx'
import { SuggestionList } from '#web/ui/form/SuggestionList.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { isComposing } from '#web/ui/form/is-composing.ts'

export interface PickOneProps {
  /** Accessible name, also the placeholder. */
  label: string
  /** Name of the chosen one; undefined if none is chosen. */
  chosen: string | undefined
  /** The options offered for the typed text. */
  options: readonly SelectOption<string>[]
  text: string
  onText: (text: string) => void
  /** An empty value chooses none. */
  onChoose: (value: string) => void
  className?: string
}

/** Chooses one of many by typing a part of its name: a combobox, as in WAI-ARIA's authoring practices. */
export function PickOne({ label, chosen, options, text, onText, onChoose, className }: PickOneProps) {
  const id = useId()
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const isShown = isOpen && options.length > 0

  const choose = (value: string) => {
    setOpen(false)
    setActive(-1)
    onText('')
    onChoose(value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && options.length > 0) {
      setOpen(true)
      setActive((Math.max(active, step > 0 ? -1 : 0) + step + options.length) % options.length)
    } else if (event.key === 'Enter' && isShown) choose((options[active] ?? options[0])?.value ?? '')
    else if (event.key === 'Escape' && isShown) {
      // A dialog around it stays open.
      event.stopPropagation()
      setOpen(false)
    } else return
    event.preventDefault()
  }

  if (chosen !== undefined) {
    return (
      <span className="inline-flex h-9 max-w-full items-center gap-1 rounded-lg border border-accent bg-accent-soft pl-3 text-sm">
        <span className="min-w-0 truncate">{chosen}</span>
        <IconButton
          size="sm"
          label={`Clear ${label.toLowerCase()}`}
          icon={<X />}
          onClick={() => choose('')}
        />
      </span>
    )
  }
  return (
    <span ref={setBox} className={className}>
      <TextInput
        role="combobox"
        aria-label={label}
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
        placeholder={label}
        autoComplete="off"
        value={text}
        onChange={({ target }) => {
          onText(target.value)
          setOpen(true)
          setActive(-1)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {isShown && (
        <SuggestionList
          id={id}
          labelledBy={undefined}
          anchor={box}
          active={active}
          options={options}
          onChoose={choose}
        />
      )}
    </span>
  )
}
