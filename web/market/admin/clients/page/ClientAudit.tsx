import { useInfiniteQuery } from '@tanstack/react-query'
import type { AuditRow } from '#core/contract/accounts/audit.ts'
import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import { Listing } from '#web/components/admin/Listing.tsx'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { words } from '#web/format/words.ts'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { clientAuditQuery } from '../../../admin-client-queries.ts'

const ACTORS: Readonly<Record<AuditRow['actor'], string>> = {
  user: 'The client',
  admin: 'An administrator',
  service: 'A program',
  nobody: 'Nobody signed in',
}

/** Shows what was done to this account, by whom and why. */
export function ClientAudit({ client: { user_id: id } }: { client: AdminClientDetail }) {
  const audit = useInfiniteQuery(clientAuditQuery(id))
  return (
    <PagedCard
      title="Audit"
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
            { header: 'What', render: ({ action }) => words(action) },
            { header: 'By', part: 'brief', render: ({ actor }) => ACTORS[actor] },
            { header: 'Why', part: 'note', render: ({ details }) => <Why note={details['note']} /> },
            { header: 'When', part: 'when', render: ({ at }) => <RelativeTime at={at} /> },
          ]}
        />
      )}
    </PagedCard>
  )
}

function Why({ note }: { note: unknown }) {
  if (typeof note !== 'string') return null
  return <span className="block max-w-96 break-words">{note}</span>
}
