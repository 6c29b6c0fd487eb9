import { useInfiniteQuery } from '@tanstack/react-query'
import { MapPinned, Plus } from 'lucide-react'
import { useState } from 'react'
import type { LeadPrice } from '#core/contract/market/lead-price.ts'
import { apiPath } from '#web/api/api-path.ts'
import { formatMoney } from '#web/format/money.ts'
import { words } from '#web/format/words.ts'
import { Allowed } from '#web/components/admin/Allowed.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { ClientName } from '#web/components/admin/ClientName.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { leadPricesQuery } from '../../admin-market-queries.ts'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { RemovalDialog } from '#web/components/admin/RemovalDialog.tsx'
import { LeadPriceDialog } from './LeadPriceDialog.tsx'

/** Lists the prices that differ from those of the types. */
export function LeadPrices() {
  const prices = useInfiniteQuery(leadPricesQuery)
  const [isAdding, setIsAdding] = useState(false)
  const [removed, setRemoved] = useState<LeadPrice>()
  return (
    <>
      <PagedCard
        title="Other prices"
        failure="The prices could not be loaded."
        query={prices}
        actions={
          <Allowed needs="money">
            <Button
              size="sm"
              icon={<Plus aria-hidden className="size-4" />}
              onClick={() => setIsAdding(true)}
            >
              Set price
            </Button>
          </Allowed>
        }
        empty={
          <EmptyState icon={<MapPinned aria-hidden />} title="No other prices">
            A price for a state or a client takes precedence over that of the lead type.
          </EmptyState>
        }
      >
        {(items) => (
          <Listing
            label="Other prices"
            items={items}
            keyOf={({ id }) => id}
            columns={[
              { header: 'Lead type', render: ({ lead_type: type }) => words(type) },
              { header: 'State', render: ({ state }) => state ?? 'All' },
              {
                header: 'Client',
                render: ({ client }) => (client === null ? 'All' : <ClientName client={client} />),
              },
              { header: 'Price', part: 'how', numeric: true, render: ({ price }) => formatMoney(price) },
              { header: 'Since', render: ({ created_at: at }) => <RelativeTime at={at} /> },
            ]}
            needs="money"
            renderActions={(price) => (
              <Button
                size="sm"
                variant="quiet"
                aria-label={`Remove the price ${formatMoney(price.price)}`}
                onClick={() => setRemoved(price)}
              >
                Remove
              </Button>
            )}
          />
        )}
      </PagedCard>
      {isAdding && <LeadPriceDialog onClose={() => setIsAdding(false)} />}
      {removed !== undefined && (
        <RemovalDialog
          path={apiPath('admin', 'lead-prices', removed.id)}
          title="Remove this price?"
          description="From now on such leads cost the price of their lead type, or another price that applies to them."
          submit="Remove"
          done="Price removed"
          onDone={() => setRemoved(undefined)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </>
  )
}
