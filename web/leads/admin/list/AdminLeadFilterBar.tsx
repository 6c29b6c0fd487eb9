import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/action/Button.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { clientQuery } from '#web/market/admin-client-queries.ts'
import { NO_ADMIN_FILTERS, type AdminLeadFilters } from '../../admin-lead-queries.ts'
import { listRefusals } from '../../decision/word-refusal.ts'
import { sourcesQuery } from '../../source-queries.ts'
import { PickClient } from './PickClient.tsx'

const OUTCOMES = [
  { value: '', label: 'All outcomes' },
  { value: 'outcome=assigned', label: 'Sold' },
  { value: 'status=returned', label: 'Returned' },
  { value: 'outcome=no_buyer', label: 'No buyer' },
  { value: 'outcome=expired', label: 'Expired' },
  { value: 'outcome=duplicate', label: 'Duplicate' },
  { value: 'outcome=rejected', label: 'Rejected' },
  { value: 'status=new', label: 'Not decided yet' },
  { value: 'status=redacted', label: 'Erased' },
]
const REASONS = [{ value: '', label: 'All reasons' }, ...listRefusals()]
const DEBOUNCE_MS = 250

export interface AdminLeadFilterBarProps {
  filters: AdminLeadFilters
  isFiltered: boolean
  onChange: (changed: Partial<AdminLeadFilters>) => void
}

export function AdminLeadFilterBar({ filters, isFiltered, onChange }: AdminLeadFilterBarProps) {
  const [text, setText] = useState(filters.search)
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(typing.current), [])
  const sources = useQuery(sourcesQuery)
  const chosen = filters.outcome === '' ? `status=${filters.status}` : `outcome=${filters.outcome}`
  return (
    <div role="search" aria-label="Filter leads" className="flex flex-wrap items-center gap-2">
      <TextInput
        type="search"
        aria-label="Name, email or phone"
        placeholder="Name, email or phone"
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          clearTimeout(typing.current)
          typing.current = setTimeout(() => onChange({ search: target.value.trim() }), DEBOUNCE_MS)
        }}
        className="sm:w-52"
      />
      <PickClient client={filters.client} onChoose={(client) => onChange({ client, order: '' })} />
      {filters.client !== '' && (
        <OrderFilter
          client={filters.client}
          order={filters.order}
          onChoose={(order) => onChange({ order })}
        />
      )}
      <Select
        aria-label="Source"
        value={filters.source}
        onValueChange={(source) => onChange({ source })}
        options={[
          { value: '', label: 'All sources' },
          ...(sources.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        className="w-auto! max-w-56 min-w-36 flex-1 sm:flex-none"
      />
      <Select
        aria-label="Outcome"
        value={chosen === 'status=' ? '' : chosen}
        onValueChange={(next) => {
          const [name = '', value = ''] = next.split('=')
          onChange({ outcome: '', status: '', ...(name !== '' && { [name]: value }) })
        }}
        options={OUTCOMES}
        className="w-auto! min-w-36 flex-1 sm:flex-none"
      />
      <Select
        aria-label="Reason"
        value={filters.reason}
        onValueChange={(reason) => onChange({ reason })}
        options={REASONS}
        className="w-auto! max-w-56 min-w-36 flex-1 sm:flex-none"
      />
      <DateInput label="From" at={filters.from} onChange={(from) => onChange({ from })} />
      <DateInput label="Before" at={filters.to} onChange={(to) => onChange({ to })} />
      {isFiltered && (
        <Button
          variant="quiet"
          icon={<X aria-hidden className="size-4" />}
          onClick={() => {
            clearTimeout(typing.current)
            setText('')
            onChange(NO_ADMIN_FILTERS)
          }}
        >
          Clear filters
        </Button>
      )}
    </div>
  )
}

interface OrderFilterProps {
  client: string
  order: string
  onChoose: (order: string) => void
}

function OrderFilter({ client, order, onChoose }: OrderFilterProps) {
  const found = useQuery(clientQuery(client))
  return (
    <Select
      aria-label="Order"
      value={order}
      onValueChange={onChoose}
      options={[
        { value: '', label: 'All orders' },
        ...(found.data?.order_list ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
      className="w-auto! max-w-56 min-w-36 flex-1 sm:flex-none"
    />
  )
}

/** A day in the browser's zone, kept as the moment at which it begins. */
function DateInput({ label, at, onChange }: { label: string; at: string; onChange: (at: string) => void }) {
  const begin = at === '' ? undefined : new Date(at)
  const day =
    begin === undefined || Number.isNaN(begin.getTime())
      ? ''
      : [begin.getFullYear(), begin.getMonth() + 1, begin.getDate()]
          .map((part) => String(part).padStart(2, '0'))
          .join('-')
  return (
    <label className="flex max-w-full min-w-0 flex-wrap items-center gap-1.5 text-sm text-muted">
      {label}
      <TextInput
        type="date"
        aria-label={label}
        value={day}
        onChange={({ target: { value } }) => {
          const next = new Date(`${value}T00:00`)
          onChange(Number.isNaN(next.getTime()) ? '' : next.toISOString())
        }}
        className="w-auto! max-w-full min-w-0"
      />
    </label>
  )
}
