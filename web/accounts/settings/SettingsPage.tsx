import { useSearchParams } from 'react-router-dom'
import type { SettingsTab } from '#web/paths.ts'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { TabPanel, Tabs } from '#web/ui/action/Tabs.tsx'
import { BillingPanel } from './BillingPanel.tsx'
import { ProfilePanel } from './ProfilePanel.tsx'
import { SecurityPanel } from './SecurityPanel.tsx'

const TABS: readonly { value: SettingsTab; label: string }[] = [
  { value: 'profile', label: 'Profile' },
  { value: 'security', label: 'Security' },
  { value: 'billing', label: 'Billing' },
]

export function SettingsPage() {
  const [search, setSearch] = useSearchParams()
  const tab = TABS.find(({ value }) => value === search.get('tab'))?.value ?? 'profile'
  return (
    <div className="flex flex-col gap-6">
      <title>Settings · Leadwire</title>
      <PageHeader title="Settings" />
      <Tabs
        label="Settings"
        value={tab}
        onValueChange={(next) => setSearch({ tab: next }, { replace: true })}
        tabs={TABS}
      >
        <TabPanel value="profile">
          <ProfilePanel />
        </TabPanel>
        <TabPanel value="security">
          <SecurityPanel />
        </TabPanel>
        <TabPanel value="billing">
          <BillingPanel />
        </TabPanel>
      </Tabs>
    </div>
  )
}
