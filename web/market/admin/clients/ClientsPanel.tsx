import { useInfiniteQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { Link } from 'react-router-dom'
import { CLIENT_STATES, type AdminClient } from '#core/contract/market/admin-client.ts'
import { Listing } from '#web/components/admin/Listing.tsx'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { formatMoney } from '#web/format/money.ts'
import { useDebounced } from '#web/hooks/use-debounced.ts'
import { adminItemPath } from '#web/paths.ts'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { clientsQuery } from '../../admin-client-queries.ts'
import { FundingBadge } from '../../FundingBadge.tsx'
import { CLIENT_STATE_WORDS, ClientState } from './ClientState.tsx'
import { useClientFilters } from './use-client-filters.ts'

const DEBOUNCE_MS = 250
const STATUS_OPTIONS = [
  { value: '', label: 'All clients' },
  ...CLIENT_STATES.map((value) => ({ value: value as string, label: CLIENT_STATE_WORDS[value] })),
]
const FUNDS_OPTIONS = [
  { value: '', label: 'All balances' },
  { value: 'out', label: 'Out of funds' },
]

/** All clients. Search and status are in the address; a row opens the client's page. */
export function ClientsPanel() {
  const { filters, change, isFiltered } = useClientFilters()
  const search = useDebounced(filters.search.trim(), DEBOUNCE_MS)
  const clients = useInfiniteQuery(clientsQuery({ ...filters, search }))
  return (
    <PagedCard
      title="Clients"
      isTitleHidden
      failure="The clients could not be loaded."
      query={clients}
      filters={
        <div role="search" aria-label="Filter clients" className="flex flex-wrap gap-2">
          <TextInput
            type="search"
            aria-label="Name, email or business"
            placeholder="Name, email or business"
            value={filters.search}
            onChange={(event) => change({ search: event.target.value })}
            className="sm:w-72"
          />
          <Select
            aria-label="Status"
            value={filters.status}
            onValueChange={(status) => change({ status })}
            options={STATUS_OPTIONS}
            className="w-auto! min-w-[min(11rem,100%)] flex-1 sm:flex-none"
          />
          <Select
            aria-label="Funds"
            value={filters.funds}
            onValueChange={(funds) => change({ funds })}
            options={FUNDS_OPTIONS}
            className="w-auto! min-w-[min(11rem,100%)] flex-1 sm:flex-none"
          />
        </div>
      }
      onClear={isFiltered ? () => change({ search: '', status: '', funds: '' }) : undefined}
      empty={
        <EmptyState icon={<UsersRound aria-hidden />} title="No clients yet">
          Everybody who signs up appears here and waits for your approval.
        </EmptyState>
      }
    >
      {(items) => (
        <Listing
          label="Clients"
          items={items}
          keyOf={({ user_id }) => user_id}
          columns={[
            { header: 'Client', render: (client) => <ClientLine client={client} /> },
            { header: 'Status', part: 'how', render: (client) => <ClientState state={client.status} /> },
            { header: 'Balance', numeric: true, render: ({ balance }) => formatMoney(balance) },
            { header: 'Funding', part: 'brief', render: (client) => <FundingBadge balance={client} /> },
            {
              header: 'Active orders',
              numeric: true,
              render: (client) => `${client.orders_active} of ${client.orders}`,
            },
            {
              header: 'Failing webhooks',
              numeric: true,
              render: ({ webhooks_failing: failing }) =>
                failing === 0 ? null : <Badge tone="failure">{failing}</Badge>,
            },
            {
              header: 'Last lead',
              render: ({ last_lead_at: at }) => (at === null ? null : <RelativeTime at={at} />),
            },
          ]}
        />
      )}
    </PagedCard>
  )
}

function ClientLine({ client }: { client: AdminClient }) {
  const name = client.display_name
  return (
    <span className="block max-w-44">
      <Link
        to={adminItemPath('clients', client.user_id)}
        title={name}
        className="-my-0.5 block max-w-full min-w-6 truncate rounded-sm py-0.5 hover:underline"
      >
        {name}
      </Link>
      <span className="block truncate text-xs font-normal text-muted">{client.email}</span>
    </span>
  )
}
