import { Cable } from 'lucide-react'
import { Link } from 'react-router-dom'
import { SOURCE_DAYS, type Overview } from '#core/contract/operations/overview.ts'
import { formatCount } from '#web/format/count-of.ts'
import { formatRate } from '#web/format/format-rate.ts'
import { formatMoney } from '#web/format/money.ts'
import { adminPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'

/** Shows what each source brought in a week, and what became of it. */
export function SourceTable({ rows }: { rows: Overview['sources'] }) {
  return (
    <Card
      title={`Sources, last ${SOURCE_DAYS} days`}
      flush
      actions={
        <Link to={adminPath('sources')} className={buttonClass('quiet', 'sm')}>
          All sources
        </Link>
      }
    >
      {rows.length === 0 ? (
        <EmptyState icon={<Cable aria-hidden />} title="No leads came in" />
      ) : (
        <DataTable
          label="Sources"
          className="sm:max-h-96"
          items={rows}
          keyOf={({ source_id }) => source_id ?? ''}
          columns={[
            {
              header: 'Source',
              part: 'who',
              className: 'font-medium',
              render: ({ source_name: name }) => (
                <span className="block max-w-48 truncate">
                  <bdi>{name ?? 'Without a source'}</bdi>
                </span>
              ),
            },
            { header: 'Leads in', part: 'figure', numeric: true, render: (row) => formatCount(row.leads_in) },
            { header: 'Sold', part: 'figure', numeric: true, render: (row) => formatRate(row.sold_share) },
            {
              header: 'Returned',
              part: 'figure',
              numeric: true,
              render: (row) => formatRate(row.return_rate),
            },
            {
              header: 'Duplicates',
              part: 'figure',
              numeric: true,
              render: (row) => formatRate(row.duplicate_share),
            },
            { header: 'Cost', part: 'figure', numeric: true, render: (row) => formatMoney(row.cost) },
            { header: 'Margin', part: 'figure', numeric: true, render: (row) => formatMoney(row.margin) },
          ]}
        />
      )}
    </Card>
  )
}
