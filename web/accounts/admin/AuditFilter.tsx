import { useInfiniteQuery } from '@tanstack/react-query'
import { AUDIT_WORDS } from '#core/domain/accounts/audit-words.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { peopleQuery, type AuditFilters } from '../admin-people-queries.ts'
import { namePerson } from '#web/components/name-person.ts'

/** The entered values; the days are the reader's own. */
export interface EnteredAudit {
  whose: 'changes' | 'all'
  person: string
  client: string
  action: string
  from: string
  to: string
}

export const NO_AUDIT_FILTER: EnteredAudit = {
  whose: 'changes',
  person: '',
  client: '',
  action: '',
  from: '',
  to: '',
}

const WHOSE = [
  { value: 'changes', label: 'Changes by administrators' },
  { value: 'all', label: 'Everything, with sign-ins' },
] as const
const ACTIONS = [
  { value: '', label: 'Any action' },
  ...Object.entries(AUDIT_WORDS)
    .map(([value, said]) => ({ value, label: `${said.charAt(0).toUpperCase()}${said.slice(1)}` }))
    .toSorted((a, b) => a.label.localeCompare(b.label)),
]

/** The filters as the API takes them: from the first day’s start until the last day’s end. */
export function readAuditFilters({ whose, person, client, action, from, to }: EnteredAudit): AuditFilters {
  return {
    changes: whose === 'changes' ? 'true' : '',
    actor_id: person,
    client: client.trim(),
    action,
    from: startOfDay(from, 0),
    to: startOfDay(to, 1),
  }
}

/** @param day `YYYY-MM-DD` in the browser’s zone; empty or half typed: no limit */
function startOfDay(day: string, later: number): string {
  const [year, month, date] = day.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return ''
  const moment = new Date(year, month - 1, date + later)
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString()
}

export interface AuditFilterProps {
  filter: EnteredAudit
  onChange: (filter: EnteredAudit) => void
}

export function AuditFilter({ filter, onChange }: AuditFilterProps) {
  const people = useInfiniteQuery(peopleQuery)
  const set = (change: Partial<EnteredAudit>) => onChange({ ...filter, ...change })
  const persons = [
    { value: '', label: 'Anybody' },
    ...(people.data?.pages ?? []).flatMap(({ data }) =>
      data.map((person) => ({ value: person.user_id, label: namePerson(person) })),
    ),
  ]
  const narrow = 'w-auto! min-w-[min(11rem,100%)]'
  return (
    <div role="search" aria-label="Filter the audit log" className="flex flex-wrap items-end gap-2">
      <Select
        aria-label="Rows"
        value={filter.whose}
        onValueChange={(whose) => set({ whose })}
        options={WHOSE}
        className={narrow}
      />
      <Select
        aria-label="Person"
        value={filter.person}
        onValueChange={(person) => set({ person })}
        options={persons}
        className={narrow}
      />
      <Select
        aria-label="Action"
        value={filter.action}
        onValueChange={(action) => set({ action })}
        options={ACTIONS}
        className={narrow}
      />
      <TextInput
        type="search"
        aria-label="Account: business, name or email"
        placeholder="Business, name or email"
        value={filter.client}
        onChange={(event) => set({ client: event.target.value })}
        className="sm:w-60"
      />
      <Field label="From" className="min-w-36 flex-1 sm:flex-none">
        <TextInput type="date" value={filter.from} onChange={(event) => set({ from: event.target.value })} />
      </Field>
      <Field label="To" className="min-w-36 flex-1 sm:flex-none">
        <TextInput type="date" value={filter.to} onChange={(event) => set({ to: event.target.value })} />
      </Field>
    </div>
  )
}
