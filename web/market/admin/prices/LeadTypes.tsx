import { useQuery } from '@tanstack/react-query'
import { Plus, Tags } from 'lucide-react'
import { useState } from 'react'
import type { LeadType } from '#core/contract/market/lead-price.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { formatMoney } from '#web/format/money.ts'
import { Allowed } from '#web/components/admin/Allowed.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { leadTypesQuery } from '../../admin-market-queries.ts'
import { LeadTypeDialog } from './LeadTypeDialog.tsx'

/** Lists the lead types with their price and floor. */
export function LeadTypes() {
  const types = useQuery(leadTypesQuery)
  const [edited, setEdited] = useState<LeadType | 'new'>()
  const rows = types.data?.data
  if (rows === undefined) {
    return types.isError ? (
      <LoadFailure
        title="The lead types could not be loaded."
        error={types.error}
        onRetry={() => void types.refetch()}
      />
    ) : (
      <CardSkeleton />
    )
  }
  return (
    <Card
      title="Lead types"
      flush
      actions={
        <Allowed needs="money">
          <Button size="sm" icon={<Plus aria-hidden className="size-4" />} onClick={() => setEdited('new')}>
            Add lead type
          </Button>
        </Allowed>
      }
    >
      {rows.length === 0 ? (
        <EmptyState icon={<Tags aria-hidden />} title="No lead types yet">
          Leads of a type that is not here are sold to nobody.
        </EmptyState>
      ) : (
        <Listing
          label="Lead types"
          items={rows}
          keyOf={({ code }) => code}
          columns={[
            {
              header: 'Lead type',
              render: ({ label, code }) => (
                <span className="block max-w-72">
                  <span className="block truncate">{label}</span>
                  <span className="block truncate font-mono text-xs font-normal text-muted">{code}</span>
                </span>
              ),
            },
            { header: 'Price', part: 'how', numeric: true, render: ({ price }) => formatMoney(price) },
            { header: 'Floor', numeric: true, render: ({ floor_price: floor }) => formatMoney(floor) },
            { header: 'Late leads', render: ({ late_credit: isOn }) => (isOn ? 'Credited' : 'Not credited') },
            { header: 'Orders', numeric: true, render: ({ orders }) => orders.toLocaleString('en-US') },
            { header: 'Changed', render: ({ updated_at: at }) => <RelativeTime at={at} /> },
          ]}
          needs="money"
          renderActions={(type) => (
            <Button
              size="sm"
              variant="quiet"
              aria-label={`Change ${type.label}`}
              onClick={() => setEdited(type)}
            >
              Change
            </Button>
          )}
        />
      )}
      {edited !== undefined && (
        <LeadTypeDialog type={edited === 'new' ? null : edited} onClose={() => setEdited(undefined)} />
      )}
    </Card>
  )
}
