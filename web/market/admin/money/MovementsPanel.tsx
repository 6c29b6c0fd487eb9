import { useInfiniteQuery } from '@tanstack/react-query'
import { Wallet } from 'lucide-react'
import { ENTRY_TYPES } from '#core/contract/market/money/ledger.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { ClientName } from '#web/components/admin/ClientName.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { DownloadButton } from '#web/components/DownloadButton.tsx'
import { formatMoney, formatMovement } from '#web/format/money.ts'
import { useUrlFilters } from '#web/hooks/use-url-filters.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { movementsQuery } from '../../admin-money-queries.ts'
import { ENTRY_WORDS } from '../../billing/entry-words.ts'
import { Days } from './Days.tsx'
import { EntryLine } from './EntryLine.tsx'

const NAMES = ['client', 'type', 'from', 'to'] as const
const TYPES = [
  { value: '', label: 'All kinds' },
  ...ENTRY_TYPES.map((value) => ({ value: value as string, label: ENTRY_WORDS[value] })),
]
const NOTHING = { client: '', type: '', from: '', to: '' }

/** The entries of all clients' balances, newest first. */
export function MovementsPanel() {
  const { values: view, change } = useUrlFilters(NAMES)
  const movements = useInfiniteQuery(movementsQuery(view))
  const isNarrowed = NAMES.some((name) => view[name] !== '')
  const client = movements.data?.pages[0]?.data[0]?.client
  return (
    <PagedCard
      title="Ledger of all clients"
      failure="The ledger could not be loaded."
      query={movements}
      actions={
        <DownloadButton path={withQuery(apiPath('admin', 'money', 'ledger.csv'), view)} name="ledger.csv" />
      }
      filters={
        <div className="flex flex-wrap gap-2">
          <Select
            aria-label="Kind of entry"
            value={view.type}
            onValueChange={(type) => change({ type })}
            options={TYPES}
            className="w-auto! min-w-[min(11rem,100%)]"
          />
          <Days from={view.from} to={view.to} onChange={change} />
          {view.client !== '' && (
            <Button onClick={() => change({ client: '' })}>
              Only {client === undefined ? 'one client' : client.name}: show all
            </Button>
          )}
        </div>
      }
      onClear={isNarrowed ? () => change(NOTHING) : undefined}
      empty={
        <EmptyState icon={<Wallet aria-hidden />} title="No entries yet">
          Each payment, purchase and return of every client appears here.
        </EmptyState>
      }
    >
      {(items) => (
        <Listing
          label="Ledger"
          items={items}
          keyOf={({ id }) => id}
          columns={[
            { header: 'Client', render: (entry) => <ClientName client={entry.client} /> },
            { header: 'What', part: 'brief', render: (entry) => <EntryLine entry={entry} /> },
            { header: 'Amount', part: 'how', numeric: true, render: ({ amount }) => formatMovement(amount) },
            { header: 'Balance', numeric: true, render: ({ balance_after: after }) => formatMoney(after) },
            { header: 'When', part: 'when', render: ({ created_at: at }) => <RelativeTime at={at} /> },
          ]}
          renderActions={(entry) =>
            view.client === '' && (
              <Button
                size="sm"
                variant="quiet"
                aria-label={`Only this client: ${entry.client.name}`}
                onClick={() => change({ client: entry.client.user_id })}
              >
                Only this client
              </Button>
            )
          }
        />
      )}
    </PagedCard>
  )
}
