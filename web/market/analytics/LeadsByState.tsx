import type { Analytics } from '#core/contract/market/analytics.ts'
import { STATE_NAMES } from '#core/domain/leads/us-states.ts'
import { formatRate } from '#web/format/format-rate.ts'
import { formatMoney } from '#web/format/money.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import type { TableColumn } from '#web/ui/show/table/table-column.ts'
import type { ListBehind } from './list-behind.ts'
import { NumberLink } from './NumberLink.tsx'

type StateRow = Analytics['states'][number]

export function LeadsByState({ states, behind }: { states: Analytics['states']; behind: ListBehind }) {
  const columns: readonly TableColumn<StateRow>[] = [
    { header: 'State', part: 'who', className: 'whitespace-nowrap', render: nameState },
    {
      header: 'Leads',
      part: 'how',
      numeric: true,
      render: (row) => (
        <NumberLink
          leads={row.leads}
          to={row.state === null ? undefined : behind({ state: row.state })}
          of={nameState(row)}
        />
      ),
    },
    { header: 'Spend', part: 'figure', numeric: true, render: ({ spend }) => formatMoney(spend) },
    rateColumn('Returned', ({ returned }) => returned),
    rateColumn('Contacted', ({ contacted }) => contacted),
    rateColumn('Sold', ({ sold }) => sold),
  ]
  return (
    <Card title="By state" flush>
      <DataTable
        label="Leads by state"
        className="max-h-96"
        columns={columns}
        items={states}
        keyOf={({ state }) => state ?? ''}
      />
    </Card>
  )
}

function nameState({ state }: StateRow) {
  return state === null ? 'No state' : (STATE_NAMES[state] ?? state)
}

function rateColumn(header: string, count: (row: StateRow) => number): TableColumn<StateRow> {
  return { header, part: 'figure', numeric: true, render: (row) => formatRate(count(row) / row.leads) }
}
