import { useSearchParams } from 'react-router-dom'
import { TabPanel, Tabs } from '#web/ui/action/Tabs.tsx'
import { Administrators } from './Administrators.tsx'
import { FindPerson } from './FindPerson.tsx'
import { SecurityEvents } from './SecurityEvents.tsx'

const TABS = [
  { value: 'administrators', label: 'Administrators' },
  { value: 'find', label: 'Find an account' },
  { value: 'events', label: 'Security events' },
] as const

/** People who administer, help for those who cannot sign in, and security events; `tab` names what is shown. */
export function PeoplePage() {
  const [search, setSearch] = useSearchParams()
  const tab = TABS.find(({ value }) => value === search.get('tab'))?.value ?? 'administrators'
  return (
    <Tabs
      label="People"
      value={tab}
      onValueChange={(next) => setSearch({ tab: next }, { replace: true })}
      tabs={TABS}
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
    </Tabs>
  )
}
