import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Wallet } from 'lucide-react'
import { Link, useSearchParams } from 'react-router-dom'
import type { AgedBalance, Balances } from '#core/contract/market/money/market-money.ts'
import { apiPath } from '#web/api/api-path.ts'
import { ClientName } from '#web/components/admin/ClientName.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { DownloadButton } from '#web/components/DownloadButton.tsx'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { countOf } from '#web/format/count-of.ts'
import { formatMoney } from '#web/format/money.ts'
import { adminPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { balancesQuery } from '../../admin-money-queries.ts'
import { StatementView } from '../../statements/StatementView.tsx'
import { MoneyFigures } from './MoneyFigures.tsx'

const AGES = [
  { header: '0–30 days', part: 'days_30' },
  { header: '31–60 days', part: 'days_60' },
  { header: '61–90 days', part: 'days_90' },
  { header: 'Older', part: 'older' },
] as const

/** Shows what clients have paid and not spent, by its age; with `client` in the query, that client's statement. */
export function BalancesPanel() {
  const [search, setSearch] = useSearchParams()
  const balances = useQuery(balancesQuery)
  const client = search.get('client')
  if (client !== null) {
    const show = (month: string) => setSearch({ tab: 'balances', client, month }, { replace: true })
    return (
      <div className="flex flex-col gap-3">
        <Link
          to={adminPath('money', 'balances')}
          className="self-start rounded-sm py-0.5 text-sm text-accent-strong hover:underline print:hidden"
        >
          All balances
        </Link>
        <StatementView client={client} month={search.get('month') ?? ''} onMonthChange={show} />
      </div>
    )
  }
  if (balances.data === undefined) {
    return balances.isError ? (
      <LoadFailure
        title="The balances could not be loaded."
        error={balances.error}
        onRetry={() => void balances.refetch()}
      />
    ) : (
      <CardSkeleton />
    )
  }
  return <Shown balances={balances.data} />
}

function Shown({ balances }: { balances: Balances }) {
  const { owed, owing, creditors, debtors, data } = balances
  return (
    <div className="flex flex-col gap-6">
      <MoneyFigures
        figures={[
          {
            label: 'Owed to clients',
            value: formatMoney(owed.balance),
            detail: countOf(creditors, 'client'),
          },
          {
            label: 'Older than 90 days',
            value: formatMoney(owed.older),
            detail: 'Paid by then and not spent',
          },
          {
            label: 'Owed by clients',
            value: formatMoney(owing),
            detail: `${countOf(debtors, 'client')} below zero`,
          },
        ]}
      />
      <Card
        title="Balances"
        flush
        actions={<DownloadButton path={apiPath('admin', 'money', 'balances.csv')} name="balances.csv" />}
      >
        {data.length === 0 ? (
          <EmptyState icon={<Wallet aria-hidden />} title="No balances">
            Money that clients have paid and not spent appears here.
          </EmptyState>
        ) : (
          <>
            <p className="border-b border-line px-4 py-2 text-xs text-muted">
              By the age of the money: the oldest is spent first.
              {creditors + debtors > data.length && ` The ${data.length} largest; the file has all.`}
            </p>
            <Listing
              label="Balances"
              items={data}
              keyOf={({ client }) => client.user_id}
              columns={[
                { header: 'Client', render: ({ client }) => <ClientName client={client} /> },
                { header: 'Balance', part: 'brief', numeric: true, render: (row) => <Balance row={row} /> },
                ...AGES.map(({ header, part }) => ({
                  header,
                  numeric: true,
                  render: (row: AgedBalance) => (row[part] === '0.00' ? '' : formatMoney(row[part])),
                })),
              ]}
              renderActions={({ client }) => (
                <Link
                  to={`${adminPath('money', 'balances')}&client=${client.user_id}`}
                  className={buttonClass('quiet', 'sm')}
                >
                  Statement<span className="sr-only"> of {client.name}</span>
                </Link>
              )}
            />
          </>
        )}
      </Card>
    </div>
  )
}

function Balance({ row: { balance } }: { row: AgedBalance }) {
  return <span className={clsx(balance.startsWith('-') && 'text-failure')}>{formatMoney(balance)}</span>
}
