import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { meQuery } from '#web/api/me.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import type { SettingsTab } from '#web/paths.ts'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { TabPanel, Tabs } from '#web/ui/action/Tabs.tsx'
import { ProfilePanel } from '#web/accounts/settings/ProfilePanel.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { lazyPart } from '../lazy-part.ts'
import { AppearancePanel } from './AppearancePanel.tsx'

/** Loaded on demand, because it is the largest panel. */
const BillingPanel = lazyPart(
  'BillingPanel',
  async () => (await import('#web/market/billing/BillingPanel.tsx')).BillingPanel,
)

/** Loaded on demand, because few open it. */
const NoticesPanel = lazyPart(
  'NoticesPanel',
  async () => (await import('#web/market/notices/NoticesPanel.tsx')).NoticesPanel,
)

/** Loaded on demand, because few accounts have several people. */
const TeamPanel = lazyPart(
  'TeamPanel',
  async () => (await import('#web/accounts/team/TeamPanel.tsx')).TeamPanel,
)

/** Loaded on demand, because it includes the set-up of second factors. */
const SecurityPanel = lazyPart(
  'SecurityPanel',
  async () => (await import('#web/accounts/settings/SecurityPanel.tsx')).SecurityPanel,
)

/** Loaded on demand, because it is below the others and lists every state. */
const BusinessPanel = lazyPart(
  'BusinessPanel',
  async () => (await import('#web/market/business/BusinessPanel.tsx')).BusinessPanel,
)

const TABS: readonly { value: SettingsTab; label: string }[] = [
  { value: 'profile', label: 'Profile' },
  { value: 'security', label: 'Security' },
  { value: 'team', label: 'Team' },
  { value: 'billing', label: 'Billing' },
  { value: 'notifications', label: 'Notifications' },
  { value: 'appearance', label: 'Appearance' },
]

/** Panels of several areas; the address says which tab is shown. */
export function SettingsPage() {
  const [search, setSearch] = useSearchParams()
  const seesMoney = useMemberMay('money') !== false
  const ownsBusiness = useMemberMay('account') !== false
  // Administrators are never people of an account.
  const hasTeam = useQuery(meQuery).data?.role !== 'admin'
  const tabs = TABS.filter(({ value }) => (value === 'billing' ? seesMoney : value !== 'team' || hasTeam))
  const tab = tabs.find(({ value }) => value === search.get('tab'))?.value ?? 'profile'
  return (
    <div className="flex flex-col gap-6">
      <title>Settings · Leadwire</title>
      <div className="print:hidden">
        <PageHeader title="Settings" />
      </div>
      <Tabs
        label="Settings"
        value={tab}
        onValueChange={(next) => setSearch({ tab: next }, { replace: true })}
        tabs={tabs}
      >
        <TabPanel value="profile">
          <div className="flex max-w-2xl flex-col gap-6">
            <ProfilePanel />
            {ownsBusiness && (
              <Suspense fallback={<CardSkeleton />}>
                <BusinessPanel />
              </Suspense>
            )}
          </div>
        </TabPanel>
        <TabPanel value="security">
          <Suspense fallback={<CardSkeleton />}>
            <SecurityPanel />
          </Suspense>
        </TabPanel>
        <TabPanel value="team">
          <Suspense fallback={<CardSkeleton />}>
            <TeamPanel />
          </Suspense>
        </TabPanel>
        <TabPanel value="billing">
          <Suspense fallback={<CardSkeleton />}>
            <BillingPanel />
          </Suspense>
        </TabPanel>
        <TabPanel value="notifications">
          <Suspense fallback={<CardSkeleton />}>
            <NoticesPanel />
          </Suspense>
        </TabPanel>
        <TabPanel value="appearance">
          <AppearancePanel />
        </TabPanel>
      </Tabs>
    </div>
  )
}
