import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { UnclearLead } from '#core/contract/market/late-lead.ts'
import { Listing } from '#web/components/admin/Listing.tsx'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { formatMoney } from '#web/format/money.ts'
import { leadPath } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { DecideLateDialog } from './DecideLateDialog.tsx'
import { unclearQuery } from './late-queries.ts'

const WHY: Readonly<Record<string, string>> = {
  times_out_of_order: 'Times in no possible order',
  clock_jumped: 'The clock jumped',
  too_long: 'Impossibly long',
}

/** Late leads that an administrator has to decide about; nothing while there are none. */
export function UnclearLeads() {
  const unclear = useQuery(unclearQuery)
  const [decided, setDecided] = useState<UnclearLead>()
  const rows = unclear.data?.data ?? []
  if (unclear.isError && unclear.data === undefined)
    return (
      <LoadFailure
        title="The late leads to be decided could not be loaded."
        error={unclear.error}
        onRetry={() => void unclear.refetch()}
      />
    )
  if (rows.length === 0 && decided === undefined) return null
  return (
    <Card title="Late leads to be decided" flush>
      <Listing
        label="Late leads to be decided"
        items={rows}
        keyOf={({ id }) => id}
        columns={[
          {
            header: 'Client',
            render: ({ client, lead_id: lead }) => (
              <Link className="underline" to={leadPath(lead)}>
                {client.name}
              </Link>
            ),
          },
          { header: 'Price', part: 'how', numeric: true, render: ({ amount }) => formatMoney(amount) },
          { header: 'Why', render: ({ reason }) => WHY[reason ?? ''] ?? reason },
          {
            header: 'Our part',
            numeric: true,
            render: ({ ours_ms: ms }) => `${ms.toLocaleString('en-US')} ms`,
          },
          { header: 'Sold', render: ({ sold_at: at }) => <RelativeTime at={at} /> },
        ]}
        needs="money"
        renderActions={(lead) => (
          <Button
            size="sm"
            variant="quiet"
            aria-label={`Decide about the lead of ${lead.client.name}`}
            onClick={() => setDecided(lead)}
          >
            Decide
          </Button>
        )}
      />
      {decided !== undefined && <DecideLateDialog lead={decided} onClose={() => setDecided(undefined)} />}
    </Card>
  )
}
