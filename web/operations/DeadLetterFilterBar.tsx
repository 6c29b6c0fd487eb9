import { DEAD_LETTERS_COUNTED, type DeadLetterSummary } from '#core/contract/operations/dead-letter.ts'
import type { DeadLetterFilters } from './operation-queries.ts'
import { formatCount } from '../format/count-of.ts'
import { Button } from '../ui/action/Button.tsx'
import { Select } from '../ui/form/Select.tsx'
import { reasonLabel } from './reason-label.ts'

export interface DeadLetterFilterBarProps {
  filters: DeadLetterFilters
  /** Name of the chosen client, also if it has no dead letters left. */
  clientName: string
  summary: DeadLetterSummary | undefined
  onChange: (filters: DeadLetterFilters) => void
  selected: number
  isEmpty: boolean
  isBusy: boolean
  onSend: () => void
}

export function DeadLetterFilterBar(props: DeadLetterFilterBarProps) {
  const { filters, summary, onChange, selected } = props
  const isFiltered = filters.reason !== '' || filters.client !== ''
  const isCapped = summary !== undefined && summary.total >= DEAD_LETTERS_COUNTED
  const reasons = withChosen(
    filters.reason,
    reasonLabel(filters.reason),
    (summary?.reasons ?? []).flatMap(({ reason, count }) =>
      reason === null
        ? []
        : [{ value: reason, label: `${reasonLabel(reason)} · ${formatCount(count, isCapped)}` }],
    ),
  )
  const clients = (summary?.clients ?? []).map((client) => ({
    value: client.user_id,
    label: `${client.name} · ${formatCount(client.count, isCapped)}`,
  }))
  return (
    <div
      role="search"
      aria-label="Filter dead letters"
      className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-3"
    >
      <Select
        aria-label="Reason"
        value={filters.reason}
        onValueChange={(reason) => onChange({ ...filters, reason })}
        options={[{ value: '', label: 'All reasons' }, ...reasons]}
        className="w-auto! min-w-[min(10rem,100%)] flex-1 sm:flex-none"
      />
      <Select
        aria-label="Client"
        value={filters.client}
        onValueChange={(client) => onChange({ ...filters, client })}
        options={[
          { value: '', label: 'All clients' },
          ...withChosen(filters.client, props.clientName, clients),
        ]}
        className="w-auto! min-w-[min(10rem,100%)] flex-1 sm:max-w-72 sm:flex-none"
      />
      <Button
        variant="primary"
        className="w-full sm:ml-auto sm:w-auto"
        disabled={props.isEmpty}
        busy={props.isBusy}
        onClick={props.onSend}
      >
        {selected > 0
          ? `Send ${formatCount(selected)} selected again`
          : isFiltered
            ? 'Send all of these again'
            : 'Send all again'}
      </Button>
    </div>
  )
}

type Option = { value: string; label: string }

/** Keeps the chosen option in the list after its last dead letter is gone. */
function withChosen(chosen: string, label: string, options: readonly Option[]): readonly Option[] {
  const isThere = chosen === '' || options.some(({ value }) => value === chosen)
  return isThere ? options : [...options, { value: chosen, label: `${label} · 0` }]
}
