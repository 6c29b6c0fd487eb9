import { useInfiniteQuery } from '@tanstack/react-query'
import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import { auditLogQuery } from '#web/accounts/admin-people-queries.ts'
import { AuditChanges } from '#web/components/admin/AuditChanges.tsx'
import { AuditSentence } from '#web/components/admin/AuditSentence.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'

/** Shows what was done to this account, by whom and why, with before and after. */
export function ClientAudit({ client: { user_id: id } }: { client: AdminClientDetail }) {
  const audit = useInfiniteQuery(auditLogQuery({ user_id: id }))
  return (
    <PagedCard
      title="Audit"
      isTitleHidden
      failure="The audit log could not be loaded."
      query={audit}
      empty={<p className="p-4 text-sm text-muted">Nothing yet.</p>}
    >
      {(items) => (
        <Listing
          label="Audit"
          items={items}
          keyOf={(row) => row.id}
          columns={[
            { header: 'What', render: (row) => <AuditSentence row={row} /> },
            { header: 'Change', part: 'note', render: ({ details }) => <AuditChanges details={details} /> },
            { header: 'When', part: 'when', render: ({ at }) => <RelativeTime at={at} /> },
          ]}
        />
      )}
    </PagedCard>
  )
}
