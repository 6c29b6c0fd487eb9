import { useQuery } from '@tanstack/react-query'
import type { AgentRow } from '#core/contract/market/agent-figures.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { formatCount } from '#web/format/count-of.ts'
import { formatReturn } from '#web/format/format-return.ts'
import { formatMoney } from '#web/format/money.ts'
import { words } from '#web/format/words.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import type { TableColumn } from '#web/ui/show/table/table-column.ts'
import { agentFiguresQuery } from './enterprise-queries.ts'

const TITLE = 'Performance by agent'

/** Shows how each person of the account did, beside the endpoints; nothing while nobody has leads of their own. */
export function AgentsPanel({ from, to }: { from: string; to: string }) {
  // An agent sees no figures of others. Everybody else who sees figures has people or money.
  const [hasPeople, hasMoney] = [useMemberMay('members'), useMemberMay('money')]
  const figures = useQuery({
    ...agentFiguresQuery({ from, to }),
    enabled: hasPeople === true || hasMoney === true,
  })
  if (figures.data === undefined)
    return figures.isError ? (
      <LoadFailure
        title="The figures of your people could not be loaded."
        error={figures.error}
        onRetry={() => void figures.refetch()}
      />
    ) : null
  const rows = figures.data.data
  if (rows.every(({ member_user_id: id }) => id === null)) return null
  return (
    <Card title={TITLE} flush>
      <DataTable
        label={TITLE}
        className="max-h-[36rem]"
        movesByRow
        columns={rows.some(({ revenue }) => Number(revenue) > 0) ? [...COLUMNS, REVENUE] : COLUMNS}
        items={rows}
        keyOf={({ member_user_id: id }) => id ?? 'shared'}
      />
    </Card>
  )
}

const count = (header: string, by: 'leads' | 'delivered' | 'failed' | 'returned') => ({
  header,
  part: 'figure' as const,
  numeric: true,
  render: (row: AgentRow) => formatCount(row[by]),
})

const COLUMNS: readonly TableColumn<AgentRow>[] = [
  {
    header: 'Person',
    part: 'who',
    className: 'min-w-40 max-w-72 font-medium',
    render: ({ name, member_user_id: id }) => (
      <span className="block truncate">{id === null ? 'Shared' : (name ?? 'Left the account')}</span>
    ),
  },
  count('Leads', 'leads'),
  count('Delivered', 'delivered'),
  count('Failed', 'failed'),
  count('Returned', 'returned'),
  {
    header: 'Dispositions',
    part: 'note',
    className: 'min-w-36 text-muted',
    render: ({ dispositions }) =>
      dispositions.map(({ disposition, leads }) => `${words(disposition)} ${formatCount(leads)}`).join(', '),
  },
  {
    header: 'Spend',
    part: 'figure',
    numeric: true,
    render: ({ spend, refunded }) =>
      withMore(formatMoney(spend), Number(refunded) > 0 ? `${formatMoney(refunded)} came back` : undefined),
  },
]

const REVENUE: TableColumn<AgentRow> = {
  header: 'Revenue',
  part: 'figure',
  numeric: true,
  render: ({ revenue, return_on_spend: times }) =>
    withMore(formatMoney(revenue), Number(revenue) > 0 ? `${formatReturn(times)} return` : undefined),
}

function withMore(amount: string, more: string | undefined) {
  if (more === undefined) return amount
  return (
    <>
      {amount}
      <span className="block text-xs whitespace-nowrap text-muted cards:ml-1 cards:inline">{more}</span>
    </>
  )
}
