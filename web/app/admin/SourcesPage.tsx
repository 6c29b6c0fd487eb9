import { Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { lazyPart } from '../lazy-part.ts'
import { TabPanel, Tabs } from '#web/ui/action/Tabs.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { SourcesPanel } from '#web/leads/admin/SourcesPanel.tsx'

const ImportPanel = lazyPart(
  'ImportPanel',
  async () => (await import('#web/imports/ImportPanel.tsx')).ImportPanel,
)

const TABS = [
  { value: 'sources', label: 'Sources' },
  { value: 'import', label: 'Import' },
] as const

/** The sources of leads, and the import of files; `tab` in the query names what is shown. */
export function SourcesPage() {
  const [search, setSearch] = useSearchParams()
  const tab = search.get('tab') === 'import' ? 'import' : 'sources'
  return (
    <Tabs
      label="Sources"
      value={tab}
      onValueChange={(next) => setSearch({ tab: next }, { replace: true })}
      tabs={TABS}
    >
      <TabPanel value="sources">
        <SourcesPanel />
      </TabPanel>
      <TabPanel value="import">
        <Suspense fallback={<CardSkeleton />}>
          <ImportPanel />
        </Suspense>
      </TabPanel>
    </Tabs>
  )
}
