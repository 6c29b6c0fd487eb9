import type { LeadTallies } from '#core/contract/market/analytics.ts'
import { formatRate } from '#web/format/format-rate.ts'
import { formatReturn } from '#web/format/format-return.ts'
import { formatMoney } from '#web/format/money.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import type { TableColumn } from '#web/ui/show/table/table-column.ts'
import { NumberLink } from './NumberLink.tsx'

export interface GroupRow extends LeadTallies {
  /** tells it from every other row, also from one with the same name */
  key: string
  name: string
  /** the list of these leads */
  to?: string | undefined
}

export interface LeadsByGroupProps {
  /** State, Type or Source */
  group: string
  rows: readonly GroupRow[]
  /** whether any revenue of the period is known */
  hasRevenue: boolean
}

/** Shows cost and results of the leads by one property of theirs. */
export function LeadsByGroup({ group, rows, hasRevenue }: LeadsByGroupProps) {
  const columns: readonly TableColumn<GroupRow>[] = [
    { header: group, part: 'who', className: 'max-w-60 break-words', render: ({ name }) => name },
    {
      header: 'Leads',
      part: 'how',
      numeric: true,
      render: ({ leads, to, name }) => <NumberLink leads={leads} to={to} of={name} />,
    },
    { header: 'Spend', part: 'figure', numeric: true, render: ({ spend }) => formatMoney(spend) },
    rateColumn('Returned', ({ returned }) => returned),
    rateColumn('Contacted', ({ contacted }) => contacted),
    rateColumn('Sold', ({ sold }) => sold),
    ...(hasRevenue ? REVENUE : []),
  ]
  return (
    <Card title={`By ${group.toLowerCase()}`} flush>
      <DataTable
        label={`Leads by ${group.toLowerCase()}`}
        className="max-h-96"
        columns={columns}
        items={rows}
        keyOf={({ key }) => key}
      />
    </Card>
  )
}

const REVENUE: readonly TableColumn<GroupRow>[] = [
  { header: 'Revenue', part: 'figure', numeric: true, render: ({ revenue }) => formatMoney(revenue) },
  {
    header: 'Return',
    part: 'figure',
    numeric: true,
    render: ({ return_on_spend: times }) => formatReturn(times),
  },
]

function rateColumn(header: string, count: (row: GroupRow) => number): TableColumn<GroupRow> {
  return { header, part: 'figure', numeric: true, render: (row) => formatRate(count(row) / row.leads) }
}
