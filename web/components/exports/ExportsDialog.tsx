import { useInfiniteQuery } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import { EXPORT_DAYS } from '#core/contract/exports/export.ts'
import { exportsQuery } from '#web/api/exports.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Dialog } from '#web/ui/overlay/Dialog.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'
import { LoadFailure } from '../LoadFailure.tsx'
import { ExportRow } from './ExportRow.tsx'

/** The exports that the person asked for: progress, download, removal. */
export function ExportsDialog({ onClose }: { onClose: () => void }) {
  const exports = useInfiniteQuery(exportsQuery)
  const rows = exports.data?.pages.flatMap(({ data }) => data)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Your exports"
      description={`Long lists are made in the background, also when this page is closed. You get a mail when a file is ready. Files are kept for ${EXPORT_DAYS} days.`}
      size="lg"
      startAt="title"
      flush
    >
      {rows === undefined && exports.isError ? (
        <div className="p-5">
          <LoadFailure
            title="Your exports could not be loaded."
            error={exports.error}
            onRetry={() => void exports.refetch()}
          />
        </div>
      ) : rows === undefined ? (
        <Waiting label="Loading your exports" className="flex flex-col gap-3 p-5">
          <Skeleton className="h-12 w-full" />
          <Skeleton className="h-12 w-full" />
        </Waiting>
      ) : rows.length === 0 ? (
        <EmptyState icon={<Archive aria-hidden />} title="No exports yet">
          A list that is too long to download at once appears here.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {rows.map((row) => (
            <ExportRow key={row.id} made={row} />
          ))}
        </ul>
      )}
      {exports.hasNextPage && (
        <div className="flex justify-end border-t border-line px-5 py-3">
          <Button size="sm" busy={exports.isFetchingNextPage} onClick={() => void exports.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </Dialog>
  )
}
