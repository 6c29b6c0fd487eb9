import { useSearchParams } from 'react-router-dom'
import { useMay } from '#web/components/admin/use-may.ts'
import { TabPanel, Tabs } from '#web/ui/action/Tabs.tsx'
import { Administrators } from './Administrators.tsx'
import { FindPerson } from './FindPerson.tsx'
import { SecurityEvents } from './SecurityEvents.tsx'
import { ServiceKeys } from './ServiceKeys.tsx'

const TABS = [
  { value: 'administrators', label: 'Administrators' },
  { value: 'find', label: 'Find an account' },
  { value: 'events', label: 'Security events' },
  { value: 'keys', label: 'Service keys' },
] as const

/** People and programs that administer, help for those who cannot sign in, and security events; `tab` names what is shown. */
export function PeoplePage() {
  const [search, setSearch] = useSearchParams()
  // Others may not see the keys.
  const isOwner = useMay('people')
  const tabs = TABS.filter(({ value }) => value !== 'keys' || isOwner)
  const tab = tabs.find(({ value }) => value === search.get('tab'))?.value ?? 'administrators'
  return (
    <Tabs
      label="People"
      value={tab}
      onValueChange={(next) => setSearch({ tab: next }, { replace: true })}
      tabs={tabs}
    >
      <TabPanel value="administrators">
        <Administrators />
      </TabPanel>
      <TabPanel value="find">
        <FindPerson />
      </TabPanel>
      <TabPanel value="events">
        <SecurityEvents />
      </TabPanel>
      {isOwner && (
        <TabPanel value="keys">
          <ServiceKeys />
        </TabPanel>
      )}
    </Tabs>
  )
}
