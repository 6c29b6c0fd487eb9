import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus, ShieldBan } from 'lucide-react'
import { useState } from 'react'
import { SUPPRESSION_REASONS, type Suppression } from '#core/contract/market/suppression.ts'
import { apiPath } from '#web/api/api-path.ts'
import { words } from '#web/format/words.ts'
import { Allowed } from '#web/components/admin/Allowed.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { suppressionsQuery } from '../../admin-market-queries.ts'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { RemovalDialog } from '#web/components/admin/RemovalDialog.tsx'
import { FindContact } from './FindContact.tsx'
import { SuppressDialog } from './SuppressDialog.tsx'

const REASON_OPTIONS = [
  { value: '', label: 'All reasons' },
  ...SUPPRESSION_REASONS.map((value) => ({ value: value as string, label: words(value) })),
]
const KINDS = { phone: 'Phone', email: 'Email' }

export function SuppressionPanel() {
  const [reason, setReason] = useState('')
  const [isAdding, setIsAdding] = useState(false)
  const [removed, setRemoved] = useState<Suppression>()
  const [looks, setLooks] = useState(0)
  const entries = useInfiniteQuery(suppressionsQuery({ reason }))
  return (
    <>
      <PagedCard
        title="Suppression list"
        failure="The suppression list could not be loaded."
        query={entries}
        actions={
          <Allowed needs="leads">
            <Button
              size="sm"
              icon={<Plus aria-hidden className="size-4" />}
              onClick={() => setIsAdding(true)}
            >
              Suppress
            </Button>
          </Allowed>
        }
        filters={
          <div className="flex flex-wrap items-start gap-2">
            <FindContact key={looks} onRemove={setRemoved} />
            <Select
              aria-label="Reason"
              value={reason}
              onValueChange={setReason}
              options={REASON_OPTIONS}
              className="w-auto! min-w-[min(10rem,100%)] sm:ml-auto"
            />
          </div>
        }
        onClear={reason === '' ? undefined : () => setReason('')}
        empty={
          <EmptyState icon={<ShieldBan aria-hidden />} title="Nobody is suppressed">
            Phones and emails of people who are never sold, for example because they told a client not to
            contact them.
          </EmptyState>
        }
      >
        {(items) => (
          <Listing
            label="Suppressed"
            items={items}
            keyOf={({ id }) => id}
            columns={[
              { header: 'Kind', render: ({ kind }) => KINDS[kind] },
              { header: 'Reason', part: 'how', render: (entry) => words(entry.reason) },
              {
                header: 'Note',
                part: 'note',
                render: ({ note }) => note,
              },
              { header: 'Added', part: 'when', render: ({ created_at: at }) => <RelativeTime at={at} /> },
            ]}
            needs="leads"
            renderActions={(entry) => (
              <Button
                size="sm"
                variant="quiet"
                aria-label={`Remove the ${entry.kind} entry ${entry.id.slice(-6)}`}
                onClick={() => setRemoved(entry)}
              >
                Remove
              </Button>
            )}
          />
        )}
      </PagedCard>
      {isAdding && <SuppressDialog onClose={() => setIsAdding(false)} />}
      {removed !== undefined && (
        <RemovalDialog
          path={apiPath('admin', 'suppressions', removed.id)}
          title="Take this entry off the list?"
          description="Leads of this person can be sold again. If the person asked not to be contacted, keep the entry."
          submit="Take off the list"
          done="Taken off the list"
          onDone={() => {
            setRemoved(undefined)
            // Resets the search, because its entry is gone.
            setLooks(looks + 1)
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  )
}
