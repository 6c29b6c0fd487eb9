import { Suspense, type ComponentType } from 'react'
import { useSearchParams } from 'react-router-dom'
import { TabPanel, Tabs } from '#web/ui/action/Tabs.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { lazyPart } from '../lazy-part.ts'

const PARTS: ReadonlyArray<{ value: string; label: string; Part: ComponentType }> = [
  {
    value: 'payments',
    label: 'Payments',
    Part: lazyPart(
      'PaymentsPanel',
      async () => (await import('#web/market/admin/payments/PaymentsPanel.tsx')).PaymentsPanel,
    ),
  },
  {
    value: 'adjustments',
    label: 'Adjustments',
    Part: lazyPart(
      'AdjustmentsPanel',
      async () => (await import('#web/market/admin/money/AdjustmentsPanel.tsx')).AdjustmentsPanel,
    ),
  },
  {
    value: 'balances',
    label: 'Balances',
    Part: lazyPart(
      'BalancesPanel',
      async () => (await import('#web/market/admin/money/BalancesPanel.tsx')).BalancesPanel,
    ),
  },
  {
    value: 'ledger',
    label: 'Ledger',
    Part: lazyPart(
      'MovementsPanel',
      async () => (await import('#web/market/admin/money/MovementsPanel.tsx')).MovementsPanel,
    ),
  },
  {
    value: 'revenue',
    label: 'Revenue',
    Part: lazyPart(
      'RevenuePanel',
      async () => (await import('#web/market/admin/money/RevenuePanel.tsx')).RevenuePanel,
    ),
  },
]

/** The market's money; `tab` in the query names what is shown. */
export function MoneyPage() {
  const [search, setSearch] = useSearchParams()
  const tab = PARTS.find(({ value }) => value === search.get('tab'))?.value ?? 'payments'
  return (
    <Tabs
      label="Money"
      value={tab}
      onValueChange={(next) => setSearch({ tab: next }, { replace: true })}
      tabs={PARTS}
    >
      {PARTS.map(({ value, Part }) => (
        <TabPanel key={value} value={value}>
          <Suspense fallback={<CardSkeleton />}>
            <Part />
          </Suspense>
        </TabPanel>
      ))}
    </Tabs>
  )
}
