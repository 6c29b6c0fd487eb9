import { CircleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import { Checkbox } from '#web/ui/form/Checkbox.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { FormSection } from './FormSection.tsx'
import type { OrderFormValues } from './order-form-values.ts'
import { groupStates, STATE_COUNT, type StateGroup } from './state-groups.ts'

type Chosen = OrderFormValues['states']

export function StatesField() {
  const { control } = useFormContext<OrderFormValues>()
  return (
    <Controller
      control={control}
      name="states"
      render={({ field, fieldState }) => (
        <FormSection title="States">
          <StateList value={field.value} onChange={field.onChange} focus={field.ref} />
          {fieldState.error !== undefined && (
            <p role="alert" className="mt-1.5 flex items-start gap-1.5 text-xs text-failure">
              <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
              {fieldState.error.message ?? 'Choose other states'}
            </p>
          )}
        </FormSection>
      )}
    />
  )
}

interface StateListProps {
  value: Chosen
  onChange: (value: Chosen) => void
  focus: (element: HTMLInputElement | null) => void
}

function StateList({ value, onChange, focus }: StateListProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const groups = groupStates(search)
  const choose = (codes: readonly string[], isChosen: boolean) => {
    const others = value.codes.filter((code) => !codes.includes(code))
    onChange({ all: false, codes: (isChosen ? [...others, ...codes] : others).toSorted() })
  }
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line bg-sunken px-3 py-2">
        <label htmlFor={id} className="flex min-h-8 items-center gap-2.5 text-sm font-medium">
          <Checkbox
            id={id}
            ref={focus}
            aria-label="All states"
            checked={value.all}
            onChange={(event) => onChange({ ...value, all: event.target.checked })}
          />
          All states
        </label>
        <p role="status" className="text-xs text-muted tabular">
          {value.all ? 'Wherever a lead comes from' : `${value.codes.length} of ${STATE_COUNT} selected`}
        </p>
      </div>
      {!value.all && (
        <>
          <div className="border-b border-line p-2">
            <TextInput
              type="search"
              aria-label="Search states"
              placeholder="Search states"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              // Enter looks for nothing more here, and must not send the form.
              onKeyDown={(event) => {
                if (event.key === 'Enter') event.preventDefault()
              }}
            />
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
      <div className="grid grid-cols-1 pl-6 min-[26rem]:grid-cols-2 sm:grid-cols-3">
        {states.map(({ code, name }) => (
          <label key={code} className="flex min-h-8 min-w-0 items-center gap-2.5 text-sm">
            <Checkbox
              aria-label={name}
              checked={chosen.includes(code)}
              onChange={(event) => onChoose([code], event.target.checked)}
              className="shrink-0"
            />
            <span className="truncate">{name}</span>
          </label>
        ))}
      </div>
    </div>
  )
}
