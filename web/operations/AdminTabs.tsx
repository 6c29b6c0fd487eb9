import { Suspense, type ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { lazyPart } from '../app/lazy-part.ts'
import { TabPanel, Tabs } from '../ui/action/Tabs.tsx'
import { CardSkeleton } from '../ui/wait/CardSkeleton.tsx'
import { DeadLetters } from './DeadLetters.tsx'
import { FailedJobs } from './FailedJobs.tsx'
import { TroubledEndpoints } from './TroubledEndpoints.tsx'
import { WaitingClients } from './WaitingClients.tsx'

// Every panel but the first is loaded when its tab is opened.
const ClientsPanel = lazyPart(
  'ClientsPanel',
  async () => (await import('../market/admin/clients/ClientsPanel.tsx')).ClientsPanel,
)
const OrdersPanel = lazyPart(
  'OrdersPanel',
  async () => (await import('../market/admin/orders/OrdersPanel.tsx')).OrdersPanel,
)
const PricesPanel = lazyPart(
  'PricesPanel',
  async () => (await import('../market/admin/prices/PricesPanel.tsx')).PricesPanel,
)
const PaymentsPanel = lazyPart(
  'PaymentsPanel',
  async () => (await import('../market/admin/payments/PaymentsPanel.tsx')).PaymentsPanel,
)
const ReturnsPanel = lazyPart(
  'ReturnsPanel',
  async () => (await import('../market/admin/returns/ReturnsPanel.tsx')).ReturnsPanel,
)
const SourcesPanel = lazyPart(
  'SourcesPanel',
  async () => (await import('../leads/admin/SourcesPanel.tsx')).SourcesPanel,
)
const ImportPanel = lazyPart(
  'ImportPanel',
  async () => (await import('../imports/ImportPanel.tsx')).ImportPanel,
)
const SuppressionPanel = lazyPart(
  'SuppressionPanel',
  async () => (await import('../market/admin/suppression/SuppressionPanel.tsx')).SuppressionPanel,
)
const MessagesPanel = lazyPart(
  'MessagesPanel',
  async () => (await import('./messages/MessagesPanel.tsx')).MessagesPanel,
)

const TABS: readonly { value: string; label: string; panel: ReactNode }[] = [
  {
    value: 'overview',
    label: 'Overview',
    panel: (
      <div className="flex flex-col gap-6">
        <FailedJobs />
        <WaitingClients />
        <DeadLetters />
        <TroubledEndpoints />
      </div>
    ),
  },
  { value: 'clients', label: 'Clients', panel: <ClientsPanel /> },
  { value: 'orders', label: 'Orders', panel: <OrdersPanel /> },
  { value: 'prices', label: 'Prices', panel: <PricesPanel /> },
  { value: 'payments', label: 'Payments', panel: <PaymentsPanel /> },
  { value: 'returns', label: 'Returns', panel: <ReturnsPanel /> },
  { value: 'sources', label: 'Sources', panel: <SourcesPanel /> },
  { value: 'import', label: 'Import', panel: <ImportPanel /> },
  { value: 'suppression', label: 'Suppression', panel: <SuppressionPanel /> },
  { value: 'messages', label: 'Messages', panel: <MessagesPanel /> },
]

/** The tabs of the administrators' page; `tab` in the query names the open one. */
export function AdminTabs() {
  const [search, setSearch] = useSearchParams()
  const tab = TABS.find(({ value }) => value === search.get('tab'))?.value ?? 'overview'
  return (
    <Tabs
      label="Administration"
      value={tab}
      onValueChange={(next) => setSearch({ tab: next }, { replace: true })}
      tabs={TABS}
    >
      {TABS.map(({ value, panel }) => (
        <TabPanel key={value} value={value}>
          <Suspense fallback={<CardSkeleton />}>{panel}</Suspense>
        </TabPanel>
      ))}
    </Tabs>
  )
}
