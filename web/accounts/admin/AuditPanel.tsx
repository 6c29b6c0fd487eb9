import { useInfiniteQuery } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import { useState } from 'react'
import type { AdminAuditRow } from '#core/contract/accounts/audit.ts'
import { Listing } from '#web/components/admin/Listing.tsx'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { DownloadButton } from '#web/components/DownloadButton.tsx'
import { useDebounced } from '#web/hooks/use-debounced.ts'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { auditLogQuery, auditLogFile, peopleQuery } from '../admin-people-queries.ts'
import { AuditChanges } from './AuditChanges.tsx'
import { namePerson } from '#web/components/name-person.ts'
import { AuditFilter, NO_AUDIT_FILTER, readAuditFilters } from './AuditFilter.tsx'

const DEBOUNCE_MS = 250

/** Shows what administrators changed, in sentences, with before and after. */
export function AuditPanel() {
  const [filter, setFilter] = useState(NO_AUDIT_FILTER)
  const filters = readAuditFilters(useDebounced(filter, DEBOUNCE_MS))
  const log = useInfiniteQuery(auditLogQuery(filters))
  // The log masks addresses; administrators know each other's.
  const people = useInfiniteQuery(peopleQuery).data?.pages.flatMap(({ data }) => data) ?? []
  const colleagues = new Map(people.map((person) => [person.user_id, namePerson(person)]))
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(NO_AUDIT_FILTER)
  return (
    <PagedCard
      title="Audit log"
      failure="The audit log could not be loaded."
      query={log}
      actions={<DownloadButton path={auditLogFile(filters)} name="audit.csv" label="Export CSV" />}
      filters={<AuditFilter filter={filter} onChange={setFilter} />}
      onClear={isFiltered ? () => setFilter(NO_AUDIT_FILTER) : undefined}
      empty={
        <EmptyState icon={<Clock aria-hidden />} title="Nothing was changed yet">
          Every change by an administrator appears here, and nobody can remove it.
        </EmptyState>
      }
    >
      {(items) => (
        <Listing
          label="Audit log"
          items={items}
          keyOf={({ id }) => id}
          columns={[
            {
              header: 'What',
              render: (row) => <Sentence row={row} colleague={colleagues.get(row.actor_id ?? '')} />,
            },
            { header: 'Change', part: 'note', render: ({ details }) => <AuditChanges details={details} /> },
            { header: 'When', part: 'when', render: ({ at }) => <RelativeTime at={at} /> },
          ]}
        />
      )}
    </PagedCard>
  )
}

const ACTORS: Record<AdminAuditRow['actor'], string> = {
  user: 'The person',
  admin: 'An administrator',
  service: 'A program',
  nobody: 'Somebody',
}

/** "Ada Example approved the client", and the account below it. */
function Sentence({ row, colleague }: { row: AdminAuditRow; colleague: string | undefined }) {
  const { actor, actor_name: name, actor_id: by, sentence, user_name: account, user_id: about } = row
  const isAboutOther = about !== null && about !== by
  return (
    <span className="block max-w-80 min-w-48 font-normal cards:min-w-0">
      <span className="font-medium">{colleague ?? name ?? ACTORS[actor]}</span> {sentence}
      {isAboutOther && (
        <span className="block truncate text-xs text-muted">{account ?? 'An account that is gone'}</span>
      )}
    </span>
  )
}
