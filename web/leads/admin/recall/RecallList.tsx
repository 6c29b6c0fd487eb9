import { useQuery } from '@tanstack/react-query'
import { Listing } from '#web/components/admin/Listing.tsx'
import { formatMoney } from '#web/format/money.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { recallsQuery } from '../../recall-queries.ts'

/** The recalls and how far each is; nothing if there was none. */
export function RecallList() {
  const { data } = useQuery(recallsQuery)
  if (data === undefined || data.data.length === 0) return null
  return (
    <Card title="Recalls" flush>
      <Listing
        label="Recalls"
        items={data.data}
        keyOf={({ id }) => id}
        columns={[
          {
            header: 'Source',
            render: ({ source }) => <span className="block max-w-48 truncate">{source.name}</span>,
          },
          {
            header: 'Status',
            part: 'how',
            render: ({ ended_at: end }) =>
              end === null ? <Badge tone="waiting">Under way</Badge> : <Badge tone="success">Done</Badge>,
          },
          {
            header: 'Returned',
            numeric: true,
            render: ({ returned, leads }) =>
              `${returned.toLocaleString('en-US')} of ${leads.toLocaleString('en-US')}`,
          },
          {
            header: 'Skipped',
            numeric: true,
            render: ({ skipped }) => skipped > 0 && skipped.toLocaleString('en-US'),
          },
          { header: 'Credited', numeric: true, render: ({ credited }) => formatMoney(credited) },
          { header: 'Begun', part: 'when', render: ({ created_at: at }) => <RelativeTime at={at} /> },
          {
            header: 'Reason',
            part: 'note',
            render: ({ reason }) => (
              <span className="block max-w-72 truncate" title={reason}>
                {reason}
              </span>
            ),
          },
        ]}
      />
    </Card>
  )
}
