import clsx from 'clsx'
import { Search } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { PLACEHOLDERS } from '#core/domain/webhooks/template/placeholders.ts'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { filterPlaceholders, stepThrough } from './filter-placeholders.ts'

export interface PlaceholderPaletteProps {
  onInsert: (name: string) => void
}

/** A search box whose list opens with the focus: type to narrow, arrows to choose, Enter to insert. */
export function PlaceholderPalette({ onInsert }: PlaceholderPaletteProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const [active, setActive] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const groups = filterPlaceholders(PLACEHOLDERS, search)
  const names = groups.flatMap(({ items }) => items.map(({ name }) => name))
  const current = active !== null && names.includes(active) ? active : null

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const onKeyDown = (event: KeyboardEvent) => {
    const next = stepThrough(names, current, event.key)
    if (next !== undefined) setActive(next)
    else if (event.key === 'Enter') {
      const chosen = current ?? (search.trim() === '' ? undefined : names[0])
      if (chosen !== undefined) onInsert(chosen)
    } else if (event.key === 'Escape' && isOpen) {
      setOpen(false)
      // The dialog around it stays.
      event.stopPropagation()
    } else {
      setOpen(true)
      return
    }
    // Enter must not send the form, nor an arrow move the caret in the search box.
    event.preventDefault()
  }

  return (
    <div className="relative min-w-0">
      <div className="relative">
        <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint" />
        <TextInput
          role="combobox"
          aria-label="Insert a placeholder"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(current === null ? {} : { 'aria-activedescendant': `${id}-${current}` })}
          autoComplete="off"
          placeholder="Insert a placeholder"
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
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Placeholders"
        hidden={!isOpen}
        className="absolute inset-x-0 top-full z-10 mt-1 h-60 overflow-y-auto rounded-lg bg-raised py-1 shadow-float"
      >
        {groups.map(({ group, items }) => (
          <div key={group} role="group" aria-labelledby={`${id}-group-${group}`}>
            <p id={`${id}-group-${group}`} className="px-3 pt-2 pb-1 text-xs font-medium text-muted">
              {group}
            </p>
            {items.map(({ name, description }) => (
              <button
                type="button"
                key={name}
                id={`${id}-${name}`}
                role="option"
                tabIndex={-1}
                aria-selected={name === current}
                // Keeps the caret where it is in the template while the mouse presses here.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onInsert(name)}
                className={clsx(
                  'flex w-full items-baseline text-left gap-3 px-3 py-1 hover:bg-hover',
                  name === current && 'bg-accent-soft',
                )}
              >
                <code className="shrink-0 font-mono text-xs text-ink">{`{{${name}}}`}</code>
                <span className="min-w-0 flex-1 truncate text-right text-xs text-muted" title={description}>
                  {description}
                </span>
              </button>
            ))}
          </div>
        ))}
        {names.length === 0 && (
          <p role="status" className="px-3 py-6 text-center text-xs text-muted">
            No placeholder matches. A value of your own is {'{{custom.<key>}}'}.
          </p>
        )}
      </div>
    </div>
  )
}
