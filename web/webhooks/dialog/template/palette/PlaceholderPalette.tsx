import { isComposing } from '#web/ui/form/is-composing.ts'
import { Search } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { filterPlaceholders, stepThrough } from './filter-placeholders.ts'
import { listEntries } from './list-entries.ts'
import { PaletteList } from './PaletteList.tsx'

export interface PlaceholderPaletteProps {
  /** receives the text between the braces: `name`, or `name | format` */
  onInsert: (inner: string) => void
}

/** A search box whose list opens on focus: type to filter, arrows to choose, Enter to insert. */
export function PlaceholderPalette({ onInsert }: PlaceholderPaletteProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const [active, setActive] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [entries] = useState(() => listEntries(new Date()))
  const groups = filterPlaceholders(entries, search)
  const names = groups.flatMap(({ items }) => items.map(({ name }) => name))
  const current = active !== null && names.includes(active) ? active : null

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    const next = stepThrough(names, current, event.key)
    if (next !== undefined) {
      setOpen(true)
      setActive(next)
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      const chosen = current ?? (search.trim() === '' ? undefined : names[0])
      if (chosen !== undefined) onInsert(chosen)
    } else if (event.key === 'Escape' && isOpen) {
      setOpen(false)
      // The dialog around it stays open.
      event.stopPropagation()
    } else {
      setOpen(true)
      return
    }
    // Enter must not submit the form, and an arrow must not move the caret in the search box.
    event.preventDefault()
  }

  return (
    <div ref={setBox} className="relative min-w-0">
      <div className="relative">
        <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint" />
        <TextInput
          role="combobox"
          aria-label="Insert a placeholder or a format"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(current === null ? {} : { 'aria-activedescendant': `${id}-${names.indexOf(current)}` })}
          autoComplete="off"
          placeholder="Insert a placeholder or a format"
          className="pl-9"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value)
            setActive(null)
          }}
          onKeyDown={onKeyDown}
          onFocus={() => setOpen(true)}
          onBlur={() => {
            setOpen(false)
            setActive(null)
          }}
        />
      </div>
      {isOpen && (
        <PaletteList
          id={id}
          anchor={box}
          groups={groups}
          names={names}
          current={current}
          onInsert={onInsert}
        />
      )}
    </div>
  )
}
