import { Link } from 'react-router-dom'
import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import type { LeadStory } from '#core/contract/leads/admin-lead.ts'
import { formatMoney } from '#web/format/money.ts'
import { words } from '#web/format/words.ts'
import { adminItemPath } from '#web/paths.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { ExactTime } from '#web/ui/show/ExactTime.tsx'
import { Facts } from '../../lead-page/Facts.tsx'

/** Shows how a lead came: who sent it, under which keys, and until when it is offered. */
export function LeadReceipt({ lead, story }: { lead: LeadDetail; story: LeadStory }) {
  const { receipt } = story
  return (
    <Card title="Receipt">
      <Facts
        none="Nothing is known about its receipt."
        facts={[
          {
            label: 'Lead id',
            value: <code className="font-mono text-xs break-all">{lead.id}</code>,
            copy: lead.id,
          },
          { label: 'Received', value: <ExactTime at={receipt.received_at} /> },
          { label: 'Source', value: receipt.source?.name },
          { label: 'Named client', value: receipt.owner?.name },
          { label: 'Their source', value: lead.source },
          { label: 'Their id', value: receipt.external_id, copy: receipt.external_id },
          { label: 'Idempotency', value: receipt.idempotency_key, copy: receipt.idempotency_key },
          { label: 'Cost', value: receipt.cost === null ? null : formatMoney(receipt.cost) },
          {
            label: 'Offered until',
            value:
              lead.status === 'unassigned' && receipt.expires_at !== null ? (
                <ExactTime at={receipt.expires_at} />
              ) : null,
          },
          {
            label: 'Duplicate of',
            value: receipt.duplicate_of && (
              <Link
                to={adminItemPath('leads', receipt.duplicate_of)}
                className="-my-1 inline-block rounded-sm py-1 font-mono text-xs text-accent hover:underline"
              >
                {receipt.duplicate_of.slice(-8)}
              </Link>
            ),
          },
          { label: 'Rejected', value: receipt.reject_reason && words(receipt.reject_reason) },
          { label: 'Erased', value: receipt.erased_at && <ExactTime at={receipt.erased_at} /> },
        ]}
      />
    </Card>
  )
}
