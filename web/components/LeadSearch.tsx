import { isComposing } from '#web/ui/form/is-composing.ts'
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Search } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { leadSearchQuery, SEARCH_MINIMUM } from '../api/lead-search.ts'
import { isMeantApart, openApart } from '../hooks/open-apart.ts'
import { useDebounced } from '../hooks/use-debounced.ts'
import { foundLeadPath } from '../paths.ts'
import { LeadSearchResults } from './LeadSearchResults.tsx'

/**
 * The list closes 200 ms after the box loses focus (docs/product.md §9), so that a click in it still counts.
 */
const CLOSE_DELAY_MS = 200
const DEBOUNCE_MS = 180

export function LeadSearch() {
  const id = useId()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wanted = text.trim()
  const search = useDebounced(wanted, DEBOUNCE_MS)
  const results = useQuery(leadSearchQuery(search))
  const shown = open && wanted.length >= SEARCH_MINIMUM
  // Results of an older text are not shown, because Enter would open one of them.
  const settled = search === wanted
  const leads = shown && settled ? (results.data?.data ?? []) : []

  useEffect(() => () => clearTimeout(closing.current), [])

  const show = () => {
    clearTimeout(closing.current)
    setOpen(true)
  }
  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const choose = (leadId: string, isApart: boolean) => {
    const path = foundLeadPath(pathname, leadId)
    if (isApart) return openApart(path)
    close()
    setText('')
    void navigate(path)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && leads.length > 0) {
      event.preventDefault()
      const from = active < 0 && step < 0 ? 0 : active
      setActive((from + step + leads.length) % leads.length)
    } else if (event.key === 'Enter') {
      const lead = leads[active] ?? leads[0]
      if (lead !== undefined) choose(lead.id, isMeantApart(event))
    } else if (event.key === 'Escape') close()
  }

  return (
    // On a phone the list is as wide as the bar: below the short box, names and addresses have no room.
    <div className="w-full max-w-md min-w-0 sm:relative">
      <span className="relative block">
        <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint" />
        <input
          type="search"
          role="combobox"
          aria-label="Search leads"
          aria-expanded={shown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={leads[active] === undefined ? undefined : `${id}-${active}`}
          placeholder="Search leads"
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setActive(-1)
            show()
          }}
          onFocus={show}
          onBlur={() => {
            closing.current = setTimeout(close, CLOSE_DELAY_MS)
          }}
          onKeyDown={onKeyDown}
          className={clsx(
            'h-9 w-full min-w-0 rounded-lg border border-transparent bg-sunken pr-3 pl-9 text-sm transition-colors',
            'hover:border-line-strong focus-visible:border-accent focus-visible:bg-surface focus-visible:outline-offset-0',
          )}
        />
      </span>
      {shown && (
        <LeadSearchResults
          id={id}
          leads={leads}
          active={active}
          searching={!settled || results.isFetching}
          offline={results.fetchStatus === 'paused'}
          failed={results.isError}
          onChoose={choose}
        />
      )}
    </div>
  )
}
