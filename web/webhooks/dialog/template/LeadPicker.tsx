import { isComposing } from '#web/ui/form/is-composing.ts'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useId, useState, type KeyboardEvent } from 'react'
import type { LeadSummary } from '#core/contract/leads/lead.ts'
import { leadSearchQuery, SEARCH_MINIMUM } from '#web/api/lead-search.ts'
import { LeadSearchResults } from '#web/components/LeadSearchResults.tsx'
import { useDebounced } from '#web/hooks/use-debounced.ts'
import { IconButton } from '#web/ui/action/IconButton.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'

export interface LeadPickerProps {
  /** null while the fictional lead is shown */
  lead: LeadSummary | null
  onPick: (lead: LeadSummary | null) => void
}

/** Chooses the preview's lead: a fictional one, or a real one found by name, email or phone. */
export function LeadPicker({ lead, onPick }: LeadPickerProps) {
  const id = useId()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const [hasFocus, setFocus] = useState(false)
  const wanted = text.trim()
  const search = useDebounced(wanted, 180)
  const results = useQuery(leadSearchQuery(search))
  const shown = hasFocus && wanted.length >= SEARCH_MINIMUM
  const settled = search === wanted
  const leads = shown && settled ? (results.data?.data ?? []) : []

  const pick = (leadId: string) => {
    const found = leads.find((one) => one.id === leadId)
    if (found === undefined) return
    setText('')
    onPick(found)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'ArrowDown') setActive((active + 1) % Math.max(1, leads.length))
    else if (event.key === 'ArrowUp') setActive((active + leads.length - 1) % Math.max(1, leads.length))
    else if (event.key === 'Enter') pick(leads[active]?.id ?? '')
    else if (event.key === 'Escape' && text !== '') {
      setText('')
      // The dialog around it stays open.
      event.stopPropagation()
    } else return
    event.preventDefault()
  }

  if (lead !== null) {
    return (
      <p className="flex min-h-9 items-center gap-2 rounded-lg border border-line bg-sunken py-0.5 pr-1 pl-3 text-sm">
        <span className="min-w-0 flex-1 truncate">
          Filled with <span className="font-medium">{lead.name ?? lead.email ?? lead.phone ?? lead.id}</span>
        </span>
        <IconButton
          label="Back to the fictional lead"
          icon={<X aria-hidden />}
          size="sm"
          onClick={() => onPick(null)}
        />
      </p>
    )
  }
  return (
    <div
      className="relative"
      onFocus={() => setFocus(true)}
      onBlur={({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget))}
    >
      <TextInput
        type="search"
        role="combobox"
        aria-label="Preview with a lead of yours"
        aria-expanded={leads.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(leads[active] === undefined ? {} : { 'aria-activedescendant': `${id}-${active}` })}
        autoComplete="off"
        placeholder="Fictional test lead. Search for one of yours"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      {shown && (
        <LeadSearchResults
          failed={results.isError}
          id={id}
          leads={leads}
          active={active}
          searching={!settled || results.isFetching}
          offline={results.fetchStatus === 'paused'}
          onChoose={pick}
        />
      )}
    </div>
  )
}
