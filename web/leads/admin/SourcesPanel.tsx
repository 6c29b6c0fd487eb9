import { useQuery } from '@tanstack/react-query'
import { Cable, Plus } from 'lucide-react'
import { useState } from 'react'
import { sourceSchema, type Source } from '#core/contract/leads/source.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Allowed } from '#web/components/admin/Allowed.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { KeysDialog } from './KeysDialog.tsx'
import { NewSourceDialog } from './NewSourceDialog.tsx'
import { ShareSpecDialog } from './ShareSpecDialog.tsx'
import { PauseSourceDialog } from './PauseSourceDialog.tsx'
import { RecallDialog } from './recall/RecallDialog.tsx'
import { RecallList } from './recall/RecallList.tsx'
import { sourcesQuery } from '../source-queries.ts'
import { SourceList } from './SourceList.tsx'
import { StopSourceDialog } from './StopSourceDialog.tsx'

/** Manages the sources: keys, test mode, and the posting specification. */
export function SourcesPanel() {
  const sources = useQuery(sourcesQuery)
  const [isAdding, setIsAdding] = useState(false)
  const [shared, setShared] = useState<Source>()
  const [keyedId, setKeyedId] = useState<string>()
  const [paused, setPaused] = useState<Source>()
  const [stopped, setStopped] = useState<Source>()
  const [recalled, setRecalled] = useState<Source>()
  const mode = useChange(
    ({ id, test_mode }: Source) =>
      request(apiPath('admin', 'sources', id), sourceSchema, {
        method: 'PATCH',
        body: { test_mode: !test_mode },
      }),
    {
      done: ({ name, test_mode: isOn }) =>
        isOn ? `${name} is in test mode: its leads are sold to nobody` : `${name} is live`,
      onDone: () => undefined,
    },
  )
  const rows = sources.data?.data
  if (rows === undefined) {
    return sources.isError ? (
      <LoadFailure
        title="The sources could not be loaded."
        error={sources.error}
        onRetry={() => void sources.refetch()}
      />
    ) : (
      <CardSkeleton />
    )
  }
  // Taken from the current list, because the keys change while the dialog is open.
  const keyed = rows.find(({ id }) => id === keyedId)
  return (
    <>
      <Card
        title="Sources"
        flush
        actions={
          <Allowed needs="leads">
            <Button
              size="sm"
              icon={<Plus aria-hidden className="size-4" />}
              onClick={() => setIsAdding(true)}
            >
              Add source
            </Button>
          </Allowed>
        }
      >
        {rows.length === 0 ? (
          <EmptyState icon={<Cable aria-hidden />} title="No sources yet">
            A source is a program that posts leads with a key of its own.
          </EmptyState>
        ) : (
          <SourceList
            sources={rows}
            isBusy={mode.isBusy}
            onSwitch={(source) =>
              mode.send(source, { onError: () => toast.error('The mode could not be changed') })
            }
            onShare={setShared}
            onKeys={({ id }) => setKeyedId(id)}
            onPause={setPaused}
            onStop={setStopped}
            onRecall={setRecalled}
          />
        )}
        {isAdding && <NewSourceDialog onClose={() => setIsAdding(false)} />}
        {shared !== undefined && <ShareSpecDialog source={shared} onClose={() => setShared(undefined)} />}
        {keyed !== undefined && <KeysDialog source={keyed} onClose={() => setKeyedId(undefined)} />}
        {paused !== undefined && <PauseSourceDialog source={paused} onClose={() => setPaused(undefined)} />}
        {stopped !== undefined && <StopSourceDialog source={stopped} onClose={() => setStopped(undefined)} />}
        {recalled !== undefined && <RecallDialog source={recalled} onClose={() => setRecalled(undefined)} />}
      </Card>
      <RecallList />
    </>
  )
}
