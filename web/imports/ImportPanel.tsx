import { useInfiniteQuery } from '@tanstack/react-query'
import { FileUp, Upload } from 'lucide-react'
import { useSearchParams } from 'react-router-dom'
import { formatCount } from '#web/format/count-of.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { Listing } from '../components/admin/Listing.tsx'
import { PagedCard } from '../components/admin/PagedCard.tsx'
import { ImportFlow } from './ImportFlow.tsx'
import { importsQuery } from './import-queries.ts'
import { STATES } from './import-words.ts'

/** The panel for importing files. `import` in the query names the import, or says that it is a new one. */
export function ImportPanel() {
  const [search, setSearch] = useSearchParams()
  const chosen = search.get('import')
  const open = (id: string | null) =>
    setSearch(id === null ? { tab: 'import' } : { tab: 'import', import: id })
  return chosen === null ? <ImportList onOpen={open} /> : <ImportFlow id={chosen} onOpen={open} />
}

function ImportList({ onOpen }: { onOpen: (id: string) => void }) {
  const imports = useInfiniteQuery(importsQuery)
  const begin = (
    <Button
      size="sm"
      variant="primary"
      icon={<Upload aria-hidden className="size-4" />}
      onClick={() => onOpen('new')}
    >
      Import leads
    </Button>
  )
  return (
    <PagedCard
      title="Imports"
      failure="The imports could not be loaded."
      query={imports}
      actions={begin}
      empty={
        <EmptyState icon={<FileUp aria-hidden />} title="No imports yet">
          Import a CSV file of leads into a source: for its client, or for the market.
        </EmptyState>
      }
    >
      {(items) => (
        <Listing
          label="Imports"
          items={items}
          keyOf={({ id }) => id}
          columns={[
            { header: 'File', render: ({ file_name: name }) => <span className="break-all">{name}</span> },
            { header: 'Source', render: ({ source_name: name }) => name },
            {
              header: 'State',
              part: 'how',
              render: ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>,
            },
            { header: 'Rows', numeric: true, render: ({ rows }) => formatCount(rows) },
            { header: 'Leads', numeric: true, render: ({ accepted }) => formatCount(accepted) },
            {
              header: 'Not imported',
              numeric: true,
              render: ({ duplicates, refused }) => formatCount(duplicates + refused),
            },
            { header: 'Begun', part: 'when', render: ({ created_at: at }) => <RelativeTime at={at} /> },
          ]}
          renderActions={({ id, file_name: name }) => (
            <Button size="sm" variant="quiet" aria-label={`Open ${name}`} onClick={() => onOpen(id)}>
              Open
            </Button>
          )}
        />
      )}
    </PagedCard>
  )
}
