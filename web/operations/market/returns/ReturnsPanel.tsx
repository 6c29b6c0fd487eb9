import { useInfiniteQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { RETURN_STATUSES, type HeldReturn, type ReturnStatus } from '#core/contract/market/lead-return.ts'
import { formatMoney } from '#web/format/money.ts'
import { words } from '#web/format/words.ts'
import { leadPath } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import type { Tone } from '#web/ui/show/tone.ts'
import { Listing } from '../Listing.tsx'
import { returnsQuery } from '../market-queries.ts'
import { PagedCard } from '../PagedCard.tsx'
import { ReturnDecision } from './ReturnDecision.tsx'

const STATUS_OPTIONS = [
  { value: '', label: 'All returns' },
  ...RETURN_STATUSES.map((value) => ({ value: value as string, label: words(value) })),
]
const TONES: Record<ReturnStatus, Tone> = {
  pending: 'waiting',
  approved: 'success',
  denied: 'failure',
  withdrawn: 'neutral',
}

export function ReturnsPanel() {
  const [status, setStatus] = useState('pending')
  const [asked, setAsked] = useState<{ request: HeldReturn; isApproval: boolean }>()
  const returns = useInfiniteQuery(returnsQuery({ status }))
  return (
    <>
      <PagedCard
        title="Returns"
        failure="The returns could not be loaded."
        query={returns}
        filters={
          <Select
            aria-label="Status"
            value={status}
            onValueChange={setStatus}
            options={STATUS_OPTIONS}
            className="w-auto! min-w-44"
          />
        }
        empty={
          <EmptyState
            icon={<Undo2 aria-hidden />}
            title={status === 'pending' ? 'No return waits for a decision' : 'No returns'}
          >
            A client may ask to return a lead within seven days.
          </EmptyState>
        }
      >
        {(items) => (
          <Listing
            label="Returns"
            items={items}
            keyOf={({ id }) => id}
            columns={[
              { header: 'Reason', render: (request) => <Reason request={request} /> },
              {
                header: 'Client',
                render: ({ client }) => <span className="block max-w-60 truncate">{client.email}</span>,
              },
              {
                header: 'Lead',
                render: (request) => (
                  <Link
                    to={leadPath(request.lead_id)}
                    className="rounded-sm font-mono text-xs hover:underline"
                  >
                    {request.lead_id.slice(-8)}
                  </Link>
                ),
              },
              { header: 'Price', numeric: true, render: ({ price }) => formatMoney(price) },
              { header: 'Asked', render: ({ created_at: at }) => <RelativeTime at={at} /> },
              {
                header: 'Status',
                render: (request) => <Badge tone={TONES[request.status]}>{words(request.status)}</Badge>,
              },
            ]}
            renderActions={(request) => (
              <Decide request={request} onAsk={(isApproval) => setAsked({ request, isApproval })} />
            )}
          />
        )}
      </PagedCard>
      {asked !== undefined && <ReturnDecision {...asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function Decide({ request, onAsk }: { request: HeldReturn; onAsk: (isApproval: boolean) => void }) {
  if (request.status !== 'pending') return null
  const of = ` the return of lead ${request.lead_id.slice(-8)}`
  return (
    <span className="inline-flex gap-2">
      <Button size="sm" aria-label={`Approve${of}`} onClick={() => onAsk(true)}>
        Approve
      </Button>
      <Button size="sm" variant="quiet" aria-label={`Deny${of}`} onClick={() => onAsk(false)}>
        Deny
      </Button>
    </span>
  )
}

function Reason({ request }: { request: HeldReturn }) {
  return (
    <span className="block max-w-72">
      <span className="flex items-center gap-2">
        {words(request.reason)}
        {request.held_for_review && <Badge tone="waiting">Returns much</Badge>}
      </span>
      {request.note !== null && (
        <span className="block text-xs font-normal break-words text-muted">{request.note}</span>
      )}
    </span>
  )
}
