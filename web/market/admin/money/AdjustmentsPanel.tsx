import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Wallet } from 'lucide-react'
import { useState } from 'react'
import { ADJUSTMENT_STATES, type PendingAdjustment } from '#core/contract/market/money/pending-adjustment.ts'
import { meQuery } from '#web/api/me.ts'
import { adminMay } from '#web/components/admin/use-may.ts'
import { ClientName } from '#web/components/admin/ClientName.tsx'
import { DecisionButtons } from '#web/components/admin/DecisionButtons.tsx'
import { StatusCard } from '#web/components/admin/StatusCard.tsx'
import { formatMovement } from '#web/format/money.ts'
import { words } from '#web/format/words.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import type { Tone } from '#web/ui/show/tone.ts'
import { pendingAdjustmentsQuery } from '../../admin-money-queries.ts'
import { namePerson } from '#web/components/name-person.ts'
import { AdjustmentDecision } from './AdjustmentDecision.tsx'

const STATUSES = ADJUSTMENT_STATES.map((value) => ({ value: value as string, label: words(value) }))
const TONES: Record<PendingAdjustment['status'], Tone> = {
  pending: 'waiting',
  confirmed: 'success',
  declined: 'failure',
  expired: 'neutral',
}

/** Adjustments that wait for a second administrator, or did. */
export function AdjustmentsPanel() {
  const [status, setStatus] = useState('pending')
  const [asked, setAsked] = useState<{ adjustment: PendingAdjustment; isYes: boolean }>()
  const adjustments = useInfiniteQuery(pendingAdjustmentsQuery({ status }))
  return (
    <>
      <StatusCard
        title="Adjustments"
        query={adjustments}
        status={status}
        onStatusChange={setStatus}
        statuses={STATUSES}
        icon={<Wallet aria-hidden />}
        nothingWaits="No adjustment waits"
        hint="An adjustment above the limit, or of an administrator’s own account, waits here for another administrator."
        keyOf={({ id }) => id}
        columns={[
          { header: 'Client', render: ({ client }) => <ClientName client={client} /> },
          {
            header: 'Amount',
            part: 'brief',
            numeric: true,
            render: ({ amount, kind }) => (
              <>
                {formatMovement(amount)}
                {kind === 'pay_out' && <span className="block text-xs text-muted">Pay-out</span>}
              </>
            ),
          },
          {
            header: 'Why',
            part: 'how',
            render: ({ note }) => <span className="block max-w-72 break-words">{note}</span>,
          },
          { header: 'Asked', part: 'when', render: (adjustment) => <Asked adjustment={adjustment} /> },
          { header: 'Status', part: 'how', render: (adjustment) => <Status adjustment={adjustment} /> },
        ]}
        needs="money"
        renderActions={(adjustment) => (
          <Actions adjustment={adjustment} onAsk={(isYes) => setAsked({ adjustment, isYes })} />
        )}
      />
      {asked !== undefined && <AdjustmentDecision {...asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function Actions({ adjustment, onAsk }: { adjustment: PendingAdjustment; onAsk: (isYes: boolean) => void }) {
  const about = `${formatMovement(adjustment.amount)} for ${adjustment.client.name}`
  const me = useQuery(meQuery).data
  if (adjustment.confirmable === null || me === undefined || !adminMay(me, 'money')) return null
  if (adjustment.confirmable === 'no') {
    const label = adjustment.asked_by?.user_id === me.user_id ? 'Take back' : 'Decline'
    return (
      <Button size="sm" variant="quiet" aria-label={`${label} ${about}`} onClick={() => onAsk(false)}>
        {label}
      </Button>
    )
  }
  return <DecisionButtons yes="Confirm" no="Decline" about={about} onAsk={onAsk} />
}

function Asked({ adjustment: { created_at: at, asked_by: asker } }: { adjustment: PendingAdjustment }) {
  return (
    <>
      <RelativeTime at={at} />
      {asker !== null && (
        <span className="block max-w-48 truncate text-xs text-muted">by {namePerson(asker)}</span>
      )}
    </>
  )
}

function Status({ adjustment }: { adjustment: PendingAdjustment }) {
  const { status, confirmable, expires_at, decided_by, decision_note: note } = adjustment
  return (
    <span className="block max-w-72">
      <Badge tone={TONES[status]}>{words(status)}</Badge>
      {status === 'pending' && (
        <span className="block text-xs text-muted">
          {confirmable === 'no' && 'Another administrator confirms it. '}
          Expires <RelativeTime at={expires_at} />
        </span>
      )}
      {decided_by !== null && (
        <span className="block text-xs break-words text-muted">
          by {namePerson(decided_by)}
          {note !== null && `: ${note}`}
        </span>
      )}
    </span>
  )
}
