import { useId, useState } from 'react'
import { Button } from '#web/ui/action/Button.tsx'
import { Checkbox } from '#web/ui/form/Checkbox.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { groupStates, STATE_COUNT, type ChosenStates, type StateGroup } from './state-groups.ts'

export interface StateListProps {
  value: ChosenStates
  onChange: (value: ChosenStates) => void
  /** Text if all states are chosen. */
  allMeans: string
  focus: (element: HTMLInputElement | null) => void
  /** true if the choice has a fault, which is told beside it */
  isFaulty?: boolean
}

/** Chooses states: all, whole regions, one by one, or a pasted list of codes. */
export function StateList({ value, onChange, allMeans, focus, isFaulty = false }: StateListProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const groups = groupStates(search)
  const isSearch = search.trim() !== ''
  const shown = groups.flatMap(({ states }) => states.map(({ code }) => code))
  const choose = (codes: readonly string[], isChosen: boolean) => {
    const others = value.codes.filter((code) => !codes.includes(code))
    onChange({ all: false, codes: (isChosen ? [...others, ...codes] : others).toSorted() })
  }
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-sunken px-3 py-2">
        <label htmlFor={id} className="flex min-h-8 items-center gap-2.5 text-sm font-medium">
          <Checkbox
            id={id}
            ref={focus}
            aria-label="All states"
            checked={value.all}
            {...(isFaulty && { 'aria-invalid': true })}
            onChange={(event) => onChange({ ...value, all: event.target.checked })}
          />
          All states
        </label>
        <p role="status" className="text-xs text-muted tabular">
          {value.all ? allMeans : `${value.codes.length} of ${STATE_COUNT} selected`}
        </p>
      </div>
      {!value.all && (
        <>
          <div className="flex flex-wrap gap-2 border-y border-line p-2">
            <div className="min-w-0 flex-1 basis-full sm:basis-56">
              <TextInput
                type="search"
                aria-label="Search states"
                placeholder="Search states, or paste TX, FL, OH"
                value={search}
                onChange={(event) => setSearch(event.target.value)}
                // Enter chooses what was found, and must not submit the form.
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return
                  event.preventDefault()
                  if (isSearch) choose(shown, true)
                }}
              />
            </div>
            <Button
              disabled={shown.every((code) => value.codes.includes(code))}
              onClick={() => choose(shown, true)}
            >
              {isSearch ? `Select ${shown.length}` : 'Select all'}
            </Button>
            <Button disabled={value.codes.length === 0} onClick={() => onChange({ all: false, codes: [] })}>
              Clear
            </Button>
          </div>
          <div className="max-h-64 overflow-y-auto px-3 py-2" tabIndex={-1}>
            {groups.map((group) => (
              <Group key={group.label} group={group} chosen={value.codes} onChoose={choose} />
            ))}
            {groups.length === 0 && <p className="py-2 text-sm text-muted">No state has this name.</p>}
          </div>
        </>
      )}
    </div>
  )
}

interface GroupProps {
  group: StateGroup
  chosen: readonly string[]
  onChoose: (codes: readonly string[], isChosen: boolean) => void
}

function Group({ group: { label, states }, chosen, onChoose }: GroupProps) {
  const codes = states.map(({ code }) => code)
  const count = codes.filter((code) => chosen.includes(code)).length
  const isWhole = count === codes.length
  return (
    <div role="group" aria-label={label} className="pb-3 last:pb-1">
      <label className="flex min-h-8 items-center gap-2.5 text-sm font-medium">
        <Checkbox
          aria-label={`All of ${label}`}
          checked={isWhole}
          mixed={count > 0 && !isWhole}
          onChange={() => onChoose(codes, !isWhole)}
        />
        {label}
      </label>
      <div className="grid grid-cols-1 gap-x-2 pl-6 min-[26rem]:grid-cols-2 sm:grid-cols-3">
        {states.map(({ code, name }) => (
          <label key={code} className="flex min-h-8 min-w-0 items-center gap-2.5 text-sm">
            <Checkbox
              aria-label={name}
              checked={chosen.includes(code)}
              onChange={(event) => onChoose([code], event.target.checked)}
              className="shrink-0"
            />
            <span className="min-w-0 break-words">{name}</span>
          </label>
        ))}
      </div>
    </div>
  )
}
