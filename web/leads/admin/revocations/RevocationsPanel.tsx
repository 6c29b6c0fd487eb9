import { useInfiniteQuery } from '@tanstack/react-query'
import { ShieldBan } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import type { Revocation } from '#core/contract/leads/revocation.ts'
import { DecisionButtons } from '#web/components/admin/DecisionButtons.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { countOf } from '#web/format/count-of.ts'
import { adminItemPath } from '#web/paths.ts'
import { Select } from '#web/ui/form/Select.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { revocationsQuery } from './admin-revocation-queries.ts'
import { DecideRevocationDialog } from './DecideRevocationDialog.tsx'
import { nameReporter } from './name-reporter.ts'
import { RevocationStanding } from './RevocationStanding.tsx'

const STATUSES = [
  { value: '', label: 'All revocations' },
  { value: 'waiting', label: 'To decide' },
  { value: 'open', label: 'To acknowledge' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'in_force', label: 'In force' },
  { value: 'declined', label: 'Declined' },
]

const FILTERS: Readonly<Record<string, { status: string; open: string }>> = {
  open: { status: '', open: 'any' },
  overdue: { status: '', open: 'overdue' },
}

/** Every revocation, how many holders have acknowledged, and those that wait for a decision. */
export function RevocationsPanel() {
  const [search, setSearch] = useSearchParams()
  const status = search.get('status') ?? ''
  const [asked, setAsked] = useState<{ revocation: Revocation; isApproval: boolean }>()
  const revocations = useInfiniteQuery(revocationsQuery(FILTERS[status] ?? { status, open: '' }))
  return (
    <>
      <PagedCard
        title="Revocations of consent"
        failure="The revocations could not be loaded."
        query={revocations}
        filters={
          <Select
            aria-label="Status of revocations"
            value={status}
            onValueChange={(next) => setSearch(next === '' ? {} : { status: next })}
            options={STATUSES}
            className="w-auto! max-w-full min-w-[min(11rem,100%)]"
          />
        }
        empty={
          <EmptyState icon={<ShieldBan aria-hidden />} title="No revocations">
            A person, client, source or administrator revokes consent; every client who holds the lead is
            told.
          </EmptyState>
        }
      >
        {(items) => (
          <Listing
            label="Revocations of consent"
            items={items}
            keyOf={({ id }) => id}
            needs="leads"
            columns={[
              {
                header: 'Reported by',
                render: (revocation) => (
                  <Link
                    to={adminItemPath('compliance', revocation.id)}
                    className="-my-1 block max-w-60 min-w-6 truncate rounded-sm py-1 hover:underline"
                  >
                    {nameReporter(revocation)}
                  </Link>
                ),
              },
              { header: 'When', part: 'when', render: ({ created_at: at }) => <RelativeTime at={at} /> },
              {
                header: 'Acknowledged',
                numeric: true,
                render: ({ status: is, leads, holders, acknowledged }) =>
                  is === 'in_force' ? `${acknowledged} of ${holders}` : countOf(leads, 'lead'),
              },
              {
                header: 'Status',
                part: 'how',
                render: (revocation) => <RevocationStanding revocation={revocation} />,
              },
            ]}
            renderActions={(revocation) =>
              revocation.status === 'waiting' && (
                <DecisionButtons
                  yes="Approve"
                  no="Decline"
                  about={`the revocation of ${nameReporter(revocation)}`}
                  onAsk={(isApproval) => setAsked({ revocation, isApproval })}
                />
              )
            }
          />
        )}
      </PagedCard>
      {asked !== undefined && <DecideRevocationDialog {...asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}
