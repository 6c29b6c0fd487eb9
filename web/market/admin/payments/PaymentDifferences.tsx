import { useQuery } from '@tanstack/react-query'
import type { PaymentComparison, PaymentDifference } from '#core/contract/market/money/payment-difference.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { exactTime } from '#web/ui/show/format-time.ts'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { ClientName } from '#web/components/admin/ClientName.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { paymentDifferencesQuery } from '../../admin-market-queries.ts'

const KINDS: Record<PaymentDifference['kind'], string> = {
  unknown: 'Not known here',
  not_credited: 'Paid, but not credited',
  not_paid: 'Credited, but not paid',
  amount: 'Another amount',
  refund: 'Another refund',
  dispute: 'Another state of a dispute',
}

/** The differences between our payments and the payment provider's records; shown if there is a provider. */
export function PaymentDifferences() {
  const comparison = useQuery(paymentDifferencesQuery)
  if (comparison.data === undefined)
    return comparison.isError ? (
      <LoadFailure
        title="The comparison with the payment provider could not be loaded."
        error={comparison.error}
        onRetry={() => void comparison.refetch()}
      />
    ) : null
  const { data, count, failure, is_configured: isConfigured } = comparison.data
  if (!isConfigured) return null
  return (
    <Card title="Compared with the payment provider" flush={data.length > 0}>
      {failure !== null && (
        <div className={data.length > 0 ? 'px-4 pt-3' : 'pb-3'}>
          <Banner tone="waiting" title="The last comparison failed">
            {failure}. It is repeated in two hours.
          </Banner>
        </div>
      )}
      <p
        className={
          data.length > 0 ? 'border-b border-line px-4 py-3 text-sm text-muted' : 'text-sm text-muted'
        }
      >
        <Summary comparison={comparison.data} />
        {count > data.length && ` The newest ${data.length} are shown.`}
      </p>
      {data.length > 0 && (
        <Listing
          label="Differences from the payment provider"
          items={data}
          keyOf={({ kind, provider_id: id }) => `${kind} ${id}`}
          columns={[
            { header: 'What', render: ({ kind }) => KINDS[kind] },
            {
              header: 'Client',
              part: 'brief',
              render: ({ client }) => (client === null ? 'Not known' : <ClientName client={client} />),
            },
            {
              header: 'How it is',
              part: 'how',
              render: ({ ours, theirs }) => (
                <>
                  <span className="block">Here: {ours}</span>
                  <span className="block">Provider: {theirs}</span>
                </>
              ),
            },
            {
              header: 'Provider’s number',
              part: 'brief',
              render: ({ provider_id: id }) => <span className="font-mono text-xs break-all">{id}</span>,
            },
            { header: 'Found', part: 'when', render: ({ found_at: at }) => <RelativeTime at={at} /> },
          ]}
        />
      )}
    </Card>
  )
}

function Summary({ comparison }: { comparison: PaymentComparison }) {
  const { compared, compared_at: at, since, count } = comparison
  if (at === null || since === null) return 'Not compared yet: a worker does so once a day.'
  const found = count === 0 ? 'no differences' : count === 1 ? 'one difference' : `${count} differences`
  return (
    <>
      {compared.toLocaleString('en-US')} payments and disputes since {exactTime(since)} were compared{' '}
      <RelativeTime at={at} />: {found}.
      {count > 0 &&
        ' No money is moved automatically: send the event again from the provider, or adjust the balance.'}
    </>
  )
}
