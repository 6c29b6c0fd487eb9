import { useInfiniteQuery } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import { useState } from 'react'
import { AuditChanges } from '#web/components/admin/AuditChanges.tsx'
import { AuditSentence } from '#web/components/admin/AuditSentence.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { DownloadButton } from '#web/components/DownloadButton.tsx'
import { useDebounced } from '#web/hooks/use-debounced.ts'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { auditLogQuery, auditLogFile, peopleQuery } from '../admin-people-queries.ts'
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
              render: (row) => <AuditSentence row={row} colleague={colleagues.get(row.actor_id ?? '')} />,
            },
            { header: 'Change', part: 'note', render: ({ details }) => <AuditChanges details={details} /> },
            { header: 'When', part: 'when', render: ({ at }) => <RelativeTime at={at} /> },
          ]}
        />
      )}
    </PagedCard>
  )
}
