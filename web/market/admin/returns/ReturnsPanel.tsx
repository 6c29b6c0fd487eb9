import { useInfiniteQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import {
  DELIVERY_FAILED,
  RETURN_STATUSES,
  type HeldReturn,
  type ReturnStatus,
} from '#core/contract/market/lead-return.ts'
import { countOf } from '#web/format/count-of.ts'
import { formatMoney } from '#web/format/money.ts'
import { words } from '#web/format/words.ts'
import { adminItemPath } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Dialog } from '#web/ui/overlay/Dialog.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import type { Tone } from '#web/ui/show/tone.ts'
import { EvidenceFiles } from '#web/components/evidence/EvidenceFiles.tsx'
import { askEvidenceLink } from '#web/components/admin/ask-evidence-link.ts'
import { ClientName } from '#web/components/admin/ClientName.tsx'
import { DecisionButtons } from '#web/components/admin/DecisionButtons.tsx'
import { returnsQuery } from '../../admin-market-queries.ts'
import { StatusCard } from '#web/components/admin/StatusCard.tsx'
import { ReturnDecision } from './ReturnDecision.tsx'

const STATUSES = RETURN_STATUSES.map((value) => ({ value: value as string, label: words(value) }))
const TONES: Record<ReturnStatus, Tone> = {
  pending: 'waiting',
  approved: 'success',
  denied: 'failure',
  withdrawn: 'neutral',
}

export function ReturnsPanel() {
  const [status, setStatus] = useState('pending')
  const [looked, setLooked] = useState<HeldReturn>()
  const [asked, setAsked] = useState<{ request: HeldReturn; isApproval: boolean }>()
  const returns = useInfiniteQuery(returnsQuery({ status }))
  return (
    <>
      <StatusCard
        title="Returns"
        query={returns}
        status={status}
        onStatusChange={setStatus}
        statuses={STATUSES}
        icon={<Undo2 aria-hidden />}
        nothingWaits="No return waits for a decision"
        hint="A client may ask to return a lead within seven days."
        keyOf={({ id }) => id}
        columns={[
          {
            header: 'Reason',
            render: (request) => <Reason request={request} onLook={() => setLooked(request)} />,
          },
          {
            header: 'Client',
            render: ({ client }) => <ClientName client={client} />,
          },
          {
            header: 'Lead',
            render: (request) => (
              <Link
                to={adminItemPath('leads', request.lead_id)}
                className="-my-1 inline-block rounded-sm py-1 font-mono text-xs hover:underline"
              >
                {request.lead_id.slice(-8)}
              </Link>
            ),
          },
          { header: 'Price', numeric: true, render: ({ price }) => formatMoney(price) },
          { header: 'Asked', part: 'when', render: ({ created_at: at }) => <RelativeTime at={at} /> },
          {
            header: 'Status',
            part: 'how',
            render: (request) => <Badge tone={TONES[request.status]}>{words(request.status)}</Badge>,
          },
        ]}
        needs="money"
        renderActions={(request) =>
          request.status === 'pending' && (
            <DecisionButtons
              yes="Approve"
              no="Deny"
              about={`the return of ${nameLead(request)}`}
              onAsk={(isApproval) => setAsked({ request, isApproval })}
            />
          )
        }
      />
      {asked !== undefined && <ReturnDecision {...asked} onClose={() => setAsked(undefined)} />}
      {looked !== undefined && (
        <Dialog
          open
          onOpenChange={() => setLooked(undefined)}
          title={`Evidence for the return of ${nameLead(looked)}`}
          description={`From ${looked.client.name}. The audit log keeps who opens a file.`}
          startAt="title"
        >
          <EvidenceFiles files={looked.evidence} askLink={askEvidenceLink} />
        </Dialog>
      )}
    </>
  )
}

const nameLead = ({ lead_id: id }: HeldReturn) => `lead ${id.slice(-8)}`

function Reason({ request, onLook }: { request: HeldReturn; onLook: () => void }) {
  const isUndelivered = request.reason === DELIVERY_FAILED
  return (
    <span className="block max-w-72">
      <span className="flex items-center gap-2">
        {words(request.reason)}
        {request.held_for_review && (
          <Badge tone="waiting">{isUndelivered ? 'Many undelivered' : 'Returns much'}</Badge>
        )}
        {isUndelivered && request.was_delivered && <Badge tone="failure">Delivered since</Badge>}
      </span>
      {request.note !== null && (
        <span className="block text-xs font-normal break-words text-muted">{request.note}</span>
      )}
      {request.evidence.length > 0 && (
        <Button
          size="sm"
          aria-label={`Evidence of ${nameLead(request)}: ${countOf(request.evidence.length, 'file')}`}
          onClick={onLook}
          className="mt-1"
        >
          {countOf(request.evidence.length, 'file')}
        </Button>
      )}
    </span>
  )
}
