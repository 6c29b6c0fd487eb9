import { useInfiniteQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { useState } from 'react'
import { CLIENT_STATES, type AdminClient } from '#core/contract/market/admin-client.ts'
import { formatMoney } from '#web/format/money.ts'
import { useDebounced } from '#web/hooks/use-debounced.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { TextInput } from '#web/ui/form/TextInput.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { clientsQuery } from '../../admin-market-queries.ts'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { AdjustBalance } from './AdjustBalance.tsx'
import { ClientDecision, type Decision } from './ClientDecision.tsx'
import { ClientDialog } from './ClientDialog.tsx'
import { CLIENT_STATE_WORDS, ClientState } from './ClientState.tsx'
import { nameClient } from './name-client.ts'

const DEBOUNCE_MS = 250
const STATUS_OPTIONS = [
  { value: '', label: 'All clients' },
  ...CLIENT_STATES.map((value) => ({ value: value as string, label: CLIENT_STATE_WORDS[value] })),
]
type Asked = { client: AdminClient; about: Decision | 'details' | 'balance' }

export function ClientsPanel() {
  const [search, setSearch] = useState('')
  const [status, setStatus] = useState('')
  const [asked, setAsked] = useState<Asked>()
  const clients = useInfiniteQuery(clientsQuery({ search: useDebounced(search.trim(), DEBOUNCE_MS), status }))
  const isFiltered = search.trim() !== '' || status !== ''
  return (
    <>
      <PagedCard
        title="Clients"
        failure="The clients could not be loaded."
        query={clients}
        filters={
          <div role="search" aria-label="Filter clients" className="flex flex-wrap gap-2">
            <TextInput
              type="search"
              aria-label="Name, email or business"
              placeholder="Name, email or business"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              className="sm:w-72"
            />
            <Select
              aria-label="Status"
              value={status}
              onValueChange={setStatus}
              options={STATUS_OPTIONS}
              className="w-auto! min-w-[min(11rem,100%)] flex-1 sm:flex-none"
            />
          </div>
        }
        onClear={
          isFiltered
            ? () => {
                setSearch('')
                setStatus('')
              }
            : undefined
        }
        empty={
          <EmptyState icon={<UsersRound aria-hidden />} title="No clients yet">
            Whoever signs up appears here and waits for your approval.
          </EmptyState>
        }
      >
        {(items) => (
          <Listing
            label="Clients"
            items={items}
            keyOf={({ user_id }) => user_id}
            columns={[
              {
                header: 'Client',
                render: (client) => (
                  <ClientLine client={client} onOpen={() => setAsked({ client, about: 'details' })} />
                ),
              },
              { header: 'Status', part: 'how', render: (client) => <ClientState state={client.status} /> },
              { header: 'Balance', numeric: true, render: ({ balance }) => formatMoney(balance) },
              {
                header: 'Active orders',
                numeric: true,
                render: (client) => `${client.orders_active} of ${client.orders}`,
              },
              {
                header: 'Last lead',
                render: ({ last_lead_at: at }) =>
                  at === null ? <span className="text-faint">None</span> : <RelativeTime at={at} />,
              },
            ]}
            needs="clients"
            renderActions={(client) => (
              <Actions client={client} onAsk={(about) => setAsked({ client, about })} />
            )}
          />
        )}
      </PagedCard>
      {asked?.about === 'balance' && (
        <AdjustBalance client={asked.client} onClose={() => setAsked(undefined)} />
      )}
      {asked?.about === 'details' && (
        <ClientDialog
          id={asked.client.user_id}
          title={nameClient(asked.client)}
          onAdjust={() => setAsked({ client: asked.client, about: 'balance' })}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked !== undefined && asked.about !== 'details' && asked.about !== 'balance' && (
        <ClientDecision client={asked.client} decision={asked.about} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}

function ClientLine({ client, onOpen }: { client: AdminClient; onOpen: () => void }) {
  const name = nameClient(client)
  return (
    <span className="block max-w-60">
      <button
        type="button"
        title={name}
        onClick={onOpen}
        className="-my-0.5 max-w-full min-w-6 truncate rounded-sm py-0.5 text-left hover:underline"
      >
        {name}
      </button>
      {name !== client.email && client.email !== '' && (
        <span className="block truncate text-xs font-normal text-muted">{client.email}</span>
      )}
    </span>
  )
}

function Actions({ client, onAsk }: { client: AdminClient; onAsk: (decision: Decision) => void }) {
  const { status } = client
  if (status === 'closed' || status === 'erased') return null
  const of = ` ${nameClient(client)}`
  return (
    <span className="inline-flex gap-2 cards:flex-wrap">
      {status === 'onboarding' && (
        <Button size="sm" variant="primary" aria-label={`Approve${of}`} onClick={() => onAsk('approve')}>
          Approve
        </Button>
      )}
      {status === 'suspended' ? (
        <Button size="sm" aria-label={`Resume${of}`} onClick={() => onAsk('resume')}>
          Resume
        </Button>
      ) : (
        <Button size="sm" variant="quiet" aria-label={`Suspend${of}`} onClick={() => onAsk('suspend')}>
          Suspend
        </Button>
      )}
    </span>
  )
}
