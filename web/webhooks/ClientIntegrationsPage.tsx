import { useQuery } from '@tanstack/react-query'
import { PageHeader } from '../ui/show/PageHeader.tsx'
import { TabPanel, Tabs } from '../ui/action/Tabs.tsx'
import { Beneath } from '../ui/wait/Beneath.tsx'
import { CardSkeleton } from '../ui/wait/CardSkeleton.tsx'
import { ApiAccessPanel } from './ApiAccessPanel.tsx'
import { CalendarPanel } from './CalendarPanel.tsx'
import { ConfigureWebhooks } from './list/ConfigureWebhooks.tsx'
import { EndpointNotices } from './health/EndpointNotices.tsx'
import { endpointHealthQuery } from './queries/endpoint-health.ts'
import { useIntegrationsView, type IntegrationsTab } from './use-integrations-view.ts'
import { WebhooksOverview } from './overview/WebhooksOverview.tsx'

const TABS: readonly { value: IntegrationsTab; label: string }[] = [
  { value: 'webhooks', label: 'Webhooks' },
  { value: 'api', label: 'API Access' },
]

export function ClientIntegrationsPage() {
  const { tab, configuring, go } = useIntegrationsView()
  const { isLoading } = useQuery(endpointHealthQuery)
  const showTab = (next: IntegrationsTab) =>
    go({ tab: next === 'webhooks' ? null : next, view: null, logs: null, attempt: null })
  return (
    <div className="flex flex-col gap-6">
      <title>Integrations · Leadwire</title>
      <PageHeader title="Integrations" />
      <Tabs label="Integrations" value={tab} onValueChange={showTab} tabs={TABS}>
        <TabPanel value="webhooks">
          <Beneath isReady={!isLoading} fallback={<CardSkeleton />}>
            <EndpointNotices />
            {configuring ? (
              <ConfigureWebhooks />
            ) : (
              <WebhooksOverview onConfigure={() => go({ view: 'configure' })} />
            )}
          </Beneath>
        </TabPanel>
        <TabPanel value="api">
          <ApiAccessPanel onUseWebhooks={() => showTab('webhooks')} />
        </TabPanel>
        <TabPanel value="calendar">
          <CalendarPanel />
        </TabPanel>
      </Tabs>
    </div>
  )
}
