import { Link } from 'react-router-dom'
import type { LeadStory } from '#core/contract/leads/admin-lead.ts'
import { labelReturnReason } from '#core/domain/market/describe-return.ts'
import { askEvidenceLink } from '#web/components/admin/ask-evidence-link.ts'
import { Listing } from '#web/components/admin/Listing.tsx'
import { EvidenceFiles } from '#web/components/evidence/EvidenceFiles.tsx'
import { formatMoney } from '#web/format/money.ts'
import { words } from '#web/format/words.ts'
import { adminItemPath } from '#web/paths.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import type { Tone } from '#web/ui/show/tone.ts'

const STATES: Record<LeadStory['holders'][number]['state'], { label: string; tone: Tone }> = {
  active: { label: 'Has it', tone: 'success' },
  returned: { label: 'Returned', tone: 'neutral' },
  revoked: { label: 'Taken back', tone: 'neutral' },
}

/** Shows everybody who ever had the lead, and what each did with it. */
export function LeadHolders({ story: { holders, returns } }: { story: LeadStory }) {
  return (
    <Card title="Clients that had it" flush>
      {holders.length === 0 ? (
        <p className="p-4 text-sm text-muted">Nobody has had it.</p>
      ) : (
        <Listing
          label="Clients that had it"
          items={holders}
          keyOf={({ assignment_id: id }) => id}
          columns={[
            {
              header: 'Client',
              render: ({ client, order }) => (
                <span className="block max-w-60">
                  <Link
                    to={adminItemPath('clients', client.user_id)}
                    className="-my-0.5 block min-w-6 truncate rounded-sm py-0.5 hover:underline"
                  >
                    {client.name}
                  </Link>
                  <span className="block truncate text-xs font-normal text-muted">
                    {order === null ? 'No order' : order.name}
                  </span>
                </span>
              ),
            },
            {
              header: 'Status',
              part: 'how',
              render: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>,
            },
            { header: 'Price', numeric: true, render: ({ price }) => formatMoney(price) },
            { header: 'Got it', part: 'when', render: ({ assigned_at: at }) => <RelativeTime at={at} /> },
            {
              header: 'Opened',
              render: ({ first_viewed_at: at }) => at !== null && <RelativeTime at={at} />,
            },
            { header: 'Disposition', render: ({ disposition }) => words(disposition) },
          ]}
        />
      )}
      {returns.length > 0 && (
        <ul aria-label="Returns" className="divide-y divide-line border-t border-line">
          {returns.map((asked) => (
            <li key={asked.id} className="flex flex-wrap justify-between gap-x-4 px-4 py-2 text-sm">
              <span className="min-w-0 break-words">
                {`Return ${asked.status}: ${labelReturnReason(asked.reason).toLowerCase()}`}
                {asked.note !== null && <span className="text-muted">{` “${asked.note}”`}</span>}
              </span>
              <span className="text-muted">
                {`${asked.client.name}, asked by ${asked.asked_by === 'admin' ? 'an administrator' : `the ${asked.asked_by}`} `}
                <RelativeTime at={asked.created_at} />
              </span>
              {asked.evidence.length > 0 && (
                <div className="basis-full py-1">
                  <EvidenceFiles files={asked.evidence} askLink={askEvidenceLink} />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
