import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { TabPanel, Tabs } from '../ui/action/Tabs.tsx'
import { DeadLetters } from './DeadLetters.tsx'
import { FailedJobs } from './FailedJobs.tsx'
import { ClientsPanel } from './market/clients/ClientsPanel.tsx'
import { ImportPanel } from './market/imports/ImportPanel.tsx'
import { OrdersPanel } from './market/orders/OrdersPanel.tsx'
import { PaymentsPanel } from './market/payments/PaymentsPanel.tsx'
import { PricesPanel } from './market/prices/PricesPanel.tsx'
import { ReturnsPanel } from './market/returns/ReturnsPanel.tsx'
import { SuppressionPanel } from './market/suppression/SuppressionPanel.tsx'
import { MessagesPanel } from './messages/MessagesPanel.tsx'
import { SourcesPanel } from './sources/SourcesPanel.tsx'
import { TroubledEndpoints } from './TroubledEndpoints.tsx'
import { WaitingClients } from './WaitingClients.tsx'

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

/** The rooms of the administrators' page; `tab` in the query says which. */
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
          {panel}
        </TabPanel>
      ))}
    </Tabs>
  )
}
